"""What tracing costs a turn: `POST /v1/route` of a service that records beside one that does not, alternating.

    maven-serve up                                                           # records, as it comes
    MAVEN_HOME=/tmp/untraced MAVEN__HTTP__PORT=8081 MAVEN__TRACE__RING=0 MAVEN__TRACE__PERSIST=false maven-serve up
    python -m bench.tracing --on http://127.0.0.1:8080 --off http://127.0.0.1:8081 [--cases FILE] [--rounds 40]

One client, one connection to each. Every utterance goes to both in turn, whichever first changing each round, so that
a drift of the machine touches both alike. Prints p50, p95 and p99 in milliseconds of both, and the difference of the
medians in per cent. Give `--off` twice to see what the machine's own noise makes of that figure.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from pathlib import Path

import httpx
from hdrh.histogram import HdrHistogram

CASES = Path("tests/fixtures/routing.jsonl")
WARM_UP = 2


def ask(client: httpx.Client, utterance: str) -> float:
    """Microseconds of one request."""
    began = time.perf_counter_ns()
    answer = client.post("/v1/route", json={"utterance": utterance, "timezone": "Europe/Moscow"})
    spent = (time.perf_counter_ns() - began) / 1e3
    answer.raise_for_status()
    return spent


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--on", required=True, help="address of the service that records")
    parser.add_argument("--off", required=True, action="append", help="address of the one that does not")
    parser.add_argument("--cases", type=Path, default=CASES)
    parser.add_argument("--rounds", type=int, default=40)
    asked = parser.parse_args()
    lines = asked.cases.read_text("utf-8").splitlines()
    utterances = [json.loads(line)["text"] for line in lines if line.strip()]
    clients = [httpx.Client(base_url=url, timeout=30.0) for url in (asked.on, *asked.off)]
    found = [HdrHistogram(1, 60_000_000, 4) for _ in clients]
    places = list(range(len(clients)))
    for round_ in range(asked.rounds + WARM_UP):
        for utterance in utterances:
            for i in places:
                spent = ask(clients[i], utterance)
                if round_ >= WARM_UP:
                    found[i].record_value(round(spent))
        places = places[1:] + places[:1]
    print(f"{platform.processor() or platform.machine()}, {asked.rounds} rounds of {len(utterances)} utterances")
    names = ["recording", *("not recording" for _ in asked.off)]
    for name, histogram in zip(names, found, strict=True):
        tail = "  ".join(f"p{p} {histogram.get_value_at_percentile(p) / 1e3:6.3f}" for p in (50, 95, 99))
        print(f"{name:14} {tail} ms")
    medians = [histogram.get_value_at_percentile(50) for histogram in found]
    for name, median in zip(names[:1] + names[2:], medians[:1] + medians[2:], strict=True):
        print(f"{name}: {100 * (median / medians[1] - 1):+.1f} % at the median")


if __name__ == "__main__":
    main()
