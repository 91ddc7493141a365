"""Latency of `POST /v1/route` of a running service, by arm, in alternating rounds.

    python -m bench.route [--url http://127.0.0.1:8080] [--cases tests/fixtures/routing.jsonl] [--rounds 5]

One client, one connection: what the daemon sees. Every round sends all cases once with each arm in turn, so that a
drift of the machine touches all arms alike. Prints p50, p95 and p99 in milliseconds and the ratio of medians to the
first arm. With `--clients N`, N connections send at once and the throughput is printed too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import time
from collections.abc import Sequence
from pathlib import Path

import httpx
from hdrh.histogram import HdrHistogram

from serve.evaluate import load_cases


async def one_round(
    client: httpx.AsyncClient, bodies: Sequence[dict[str, str]], clients: int
) -> tuple[list[float], float]:
    """Milliseconds of every request, and the seconds that the round took."""
    queue = list(reversed(bodies))
    spent: list[float] = []

    async def worker() -> None:
        while queue:
            body = queue.pop()
            began = time.perf_counter()
            answer = await client.post("/v1/route", json=body)
            spent.append((time.perf_counter() - began) * 1e3)
            answer.raise_for_status()

    began = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(clients)))
    return spent, time.perf_counter() - began


async def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    parser.add_argument("--cases", type=Path, default=Path("tests/fixtures/routing.jsonl"))
    parser.add_argument("--arms", nargs="+", default=["classifier", "heads"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=1)
    asked = parser.parse_args()
    cases, sha256 = load_cases(asked.cases)
    seconds = dict.fromkeys(asked.arms, 0.0)
    found = {arm: HdrHistogram(1, 60_000_000, 3) for arm in asked.arms}
    async with httpx.AsyncClient(base_url=asked.url, timeout=30.0) as client:
        for round_ in range(asked.rounds + 1):
            for arm in asked.arms:
                bodies = [{"utterance": case.text, "arm": arm} for case in cases]
                spent, took = await one_round(client, bodies, asked.clients)
                if round_ == 0:  # warm-up
                    continue
                seconds[arm] += took
                for value in spent:
                    found[arm].record_value(max(1, round(value * 1e3)))
    print(f"{asked.cases} ({len(cases)} cases, sha256 {sha256[:12]}), {asked.rounds} rounds, {asked.clients} clients")
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    first = found[asked.arms[0]].get_value_at_percentile(50)
    print(f"{'arm':20} {'p50':>8} {'p95':>8} {'p99':>8} {'÷ first':>8} {'rps':>8}")
    for arm, histogram in found.items():
        p50, p95, p99 = (histogram.get_value_at_percentile(p) / 1e3 for p in (50, 95, 99))
        rps = asked.rounds * len(cases) / seconds[arm]
        print(f"{arm:20} {p50:8.2f} {p95:8.2f} {p99:8.2f} {p50 * 1e3 / first:8.2f} {rps:8.0f}")


if __name__ == "__main__":
    asyncio.run(main())
