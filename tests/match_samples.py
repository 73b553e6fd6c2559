"""A small graph and questions with answers of our own, for the tests of `match`."""

from __future__ import annotations

from osler.kinds import Entity, Pair, Triple
from osler.knowledge.graph import Graph

DISEASES = {
    "胃炎": ("胃痛", "奥美拉唑", "胃镜", "辣椒"),
    "高血压": ("头晕", "硝苯地平", "血压监测", "咸菜"),
    "糖尿病": ("口渴", "二甲双胍", "血糖检查", "蛋糕"),
    "哮喘": ("气喘", "沙丁胺醇", "肺功能检查", "海鲜"),
    "肝炎": ("黄疸", "恩替卡韦", "肝功能检查", "白酒"),
    "贫血": ("乏力", "硫酸亚铁", "血常规检查", "浓茶"),
    "痛风": ("关节痛", "别嘌醇", "尿酸检查", "啤酒"),
    "肺炎": ("咳嗽", "阿莫西林", "胸部CT", "冰淇淋"),
}
ASKED = {
    "drug": (
        "{s}了好几天，医生说是{d}，请问{d}吃什么药比较好？",
        "{d}可以口服{m}，注意饮食，定期复查。",
    ),
    "test": (
        "我怀疑自己得了{d}，最近{s}，需要做什么检查？",
        "建议到医院做{t}，明确诊断以后再治疗。",
    ),
    "food": ("{d}患者平时饮食要注意什么？能吃{f}吗？", "{d}不宜吃{f}，多吃新鲜蔬菜，少油少盐。"),
    "sign": ("得了{d}会有什么表现？", "常见的表现是{s}，严重时影响休息，应尽早就医。"),
    "care": ("{d}能不能治好，平时怎么护理？", "{d}需要长期护理，如果{s}加重，可以加用{m}。"),
}
RELATIONS = ("症状", "常用药品", "检查项目", "忌讳食物")


def chinese_pairs() -> list[Pair]:
    made = []
    for disease, (sign, drug, test, food) in DISEASES.items():
        for kind, (question, answer) in ASKED.items():
            words = {"d": disease, "s": sign, "m": drug, "t": test, "f": food}
            made.append(
                Pair(
                    id=f"{disease}-{kind}",
                    question=question.format(**words),
                    answer=answer.format(**words),
                    department="内科" if len(made) % 2 else "外科",
                )
            )
    return made


def chinese_graph() -> Graph:
    entities: dict[str, Entity] = {}
    triples = []
    for disease, tails in DISEASES.items():
        entities[f"疾病:{disease}"] = Entity(id=f"疾病:{disease}", name=disease, type="疾病")
        for relation, tail in zip(RELATIONS, tails, strict=True):
            id = f"{relation}:{tail}"
            entities[id] = Entity(id=id, name=tail, type=relation)
            triples.append(Triple(f"疾病:{disease}", relation, id))
    # Two diseases share a sign, so that there are paths of three entities between diseases.
    triples.append(Triple("疾病:肺炎", "症状", "症状:乏力"))
    return Graph.build(entities.values(), triples)


def triples_file() -> str:
    """The graph as a file of triples."""
    lines = ["head\thead_type\trelation\ttail\ttail_type"]
    for disease, tails in DISEASES.items():
        for relation, tail in zip(RELATIONS, tails, strict=True):
            lines.append(f"{disease}\t疾病\t{relation}\t{tail}\t{relation}")
    return "\n".join(lines) + "\n"
