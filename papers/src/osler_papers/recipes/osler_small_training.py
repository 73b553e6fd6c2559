"""Teaching osler-small: its states of word pieces are to be its teacher's.

The student keeps some of the teacher's layers. The lowest of them are the teacher's own and stay as
they are, with the table of word pieces; the others learn

    L = |S - T|^2 / |T|^2  +  2 (1 - cos(s, t))  +  m(u) L_between

where S and T are the last states of all pieces, s and t the pooled vectors, L_between the same
distance for the layers between, whose weight m falls from 0.3 to nothing in the first half. Time,
not steps, drives the schedule (u runs from 0 to 1), so that a busy machine ends in time; a
checkpoint every three minutes takes it up again.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from osler.learn.needs import torch as need_torch
from osler_papers.recipes.osler_small_network import network
from osler_papers.recipes.osler_small_texts import Drawer, Sources

CHECKPOINT = "checkpoint.safetensors"
LOG = "loss.jsonl"


@dataclass(frozen=True)
class Plan:
    """How the student is made and taught."""

    # Layers of the teacher, found by leaving out, one after another, the one that is missed least.
    keep: tuple[int, ...] = (0, 1, 4, 7, 8, 9, 10, 11)
    shared: int = 2
    minutes: float = 72
    rate: float = 3e-4
    long_texts: int = 8
    short_texts: int = 16
    seed: int = 0
    save_every: float = 180


def pack(texts: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    """Ids and mask, padded to the longest."""
    torch = need_torch("teaching an encoder")
    longest = max(map(len, texts))
    ids = np.zeros((len(texts), longest), np.int64)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = text
    mask = np.arange(longest)[None] < np.array([len(text) for text in texts])[:, None]
    return torch.from_numpy(ids), torch.from_numpy(mask)


class Lesson:
    """Teacher and student over one batch."""

    def __init__(self, tensors: dict[str, Any], plan: Plan, *, heads: int) -> None:
        self.plan = plan
        self.torch = need_torch("teaching an encoder")
        count = len({name.split(".")[2] for name in tensors if name.startswith("encoder.layer.")})
        self.teacher = network(tensors, range(count), heads=heads).requires_grad_(False)
        student = network(tensors, plan.keep, heads=heads)
        self.student = self.torch.nn.ModuleList(list(student.layers)[plan.shared :])

    def losses(self, ids: Any, mask: Any, between: float) -> tuple[Any, Any, Any]:
        """(states, vectors, layers between)."""
        torch, plan = self.torch, self.plan
        with torch.autocast("cpu", torch.bfloat16):
            bias = None
            if not bool(mask.all()):
                bias = torch.zeros(len(mask), 1, 1, mask.shape[1], dtype=torch.bfloat16)
                bias.masked_fill_(~mask[:, None, None, :], -1e4)
            with torch.no_grad():
                taught = self.teacher(ids, bias)
            x = taught[plan.keep[plan.shared - 1]] if plan.shared else self.teacher.embed(ids)
            states = []
            for layer in self.student:
                x = layer(x, bias)
                states.append(x)
        last, wanted = states[-1].float(), taught[-1].float()
        cosine = (_pooled(torch, last, mask) * _pooled(torch, wanted, mask)).sum(-1)
        middle = torch.zeros(())
        if between > 0:
            pairs = list(zip(plan.keep[plan.shared : -1], states[:-1], strict=True))
            parts = [_distance(state.float(), taught[at].float(), mask) for at, state in pairs]
            middle = sum(parts) / max(1, len(parts))
        return _distance(last, wanted, mask), (1 - cosine).mean(), middle


def _distance(got: Any, wanted: Any, mask: Any) -> Any:
    return ((got - wanted) ** 2)[mask].mean() / (wanted**2)[mask].mean()


def _pooled(torch: Any, states: Any, mask: Any) -> Any:
    return torch.nn.functional.normalize((states * mask[:, :, None]).sum(1), dim=-1)


def teach(
    lesson: Lesson,
    sources: Sources,
    tokenizer: Any,
    out: Path,
    *,
    progress: Callable[[str], None],
) -> Any:
    """The student's taught layers; the loss curve stands in ``loss.jsonl``."""
    torch, plan = lesson.torch, lesson.plan
    torch.manual_seed(plan.seed)
    settings = {"lr": plan.rate, "betas": (0.9, 0.98), "weight_decay": 0.01}
    optimizer = torch.optim.AdamW(lesson.student.parameters(), **settings)
    spent, step = _resume(torch, lesson, optimizer, out)
    drawer = Drawer(sources, seed=plan.seed + step)
    kept_back = [each for each in sources.kept_back if each.abstract][:32]
    checks = [
        pack(_cut(tokenizer, [f"{each.title}. {each.abstract}" for each in kept_back], 128)),
        pack(_cut(tokenizer, [each.title for each in kept_back], 64)),
    ]
    saved = spent
    budget = plan.minutes * 60
    with (out / LOG).open("a", encoding="utf-8") as log:
        while spent < budget:
            started = time.monotonic()
            share = spent / budget
            rate = (
                plan.rate
                * min(1, (step + 1) / 40)
                * (0.49 * (1 + math.cos(math.pi * share)) + 0.02)
            )
            for group in optimizer.param_groups:
                group["lr"] = rate
            between = 0.3 * max(0.0, 1 - 2 * share)
            optimizer.zero_grad(set_to_none=True)
            row: dict[str, Any] = {"step": step}
            # Every fifth batch is of long texts, half as many.
            length, count = (256, plan.long_texts // 2) if step % 5 == 4 else (128, plan.long_texts)
            long = _cut(tokenizer, [drawer.long() for _ in range(count)], length)
            short = _cut(tokenizer, [drawer.short() for _ in range(plan.short_texts)], 64)
            for kind, texts, weight in (("long", long, 0.65), ("short", short, 0.35)):
                states, vectors, middle = lesson.losses(*pack(texts), between)
                (weight * (states + 2 * vectors + between * middle)).backward()
                row[kind] = [round(states.item(), 5), round(vectors.item(), 5)]
            torch.nn.utils.clip_grad_norm_(lesson.student.parameters(), 1.0)
            optimizer.step()
            step += 1
            spent += time.monotonic() - started
            log.write(json.dumps({**row, "seconds": round(spent)}) + "\n")
            if spent - saved > plan.save_every or spent >= budget:
                saved = spent
                _save(torch, lesson, optimizer, out, spent, step)
                with torch.no_grad():
                    kept = [[round(x.item(), 5) for x in lesson.losses(*c, 0)[:2]] for c in checks]
                log.write(json.dumps({"step": step, "kept back": kept}) + "\n")
                log.flush()
                progress(f"step {step}: distance to the teacher on kept-back texts {kept}")
    return lesson.student


def _cut(tokenizer: Any, texts: Sequence[str], length: int) -> list[list[int]]:
    tokenizer.enable_truncation(length)
    return [each.ids for each in tokenizer.encode_batch(list(texts))]


def _save(torch: Any, lesson: Lesson, optimizer: Any, out: Path, spent: float, step: int) -> None:
    from safetensors.torch import save_file

    tensors = {f"layer.{name}": value for name, value in lesson.student.state_dict().items()}
    for number, state in optimizer.state_dict()["state"].items():
        for name in ("exp_avg", "exp_avg_sq"):
            tensors[f"adam.{number}.{name}"] = state[name]
    tensors["progress"] = torch.tensor([spent, float(step)], dtype=torch.float64)
    save_file(tensors, str(out / f"{CHECKPOINT}.new"))
    (out / f"{CHECKPOINT}.new").replace(out / CHECKPOINT)


def _resume(torch: Any, lesson: Lesson, optimizer: Any, out: Path) -> tuple[float, int]:
    if not (out / CHECKPOINT).is_file():
        return 0.0, 0
    from safetensors.torch import load_file

    tensors = load_file(str(out / CHECKPOINT))
    layers = {n.removeprefix("layer."): t for n, t in tensors.items() if n.startswith("layer.")}
    lesson.student.load_state_dict(layers)
    spent, step = (float(value) for value in tensors["progress"])
    state = optimizer.state_dict()
    for name, tensor in tensors.items():
        if name.startswith("adam."):
            _, number, part = name.split(".")
            own = state["state"].setdefault(int(number), {"step": torch.tensor(step)})
            own[part] = tensor
    optimizer.load_state_dict(state)
    return spent, int(step)
