# ruff: noqa: E501 (a question a line)
# fmt: off
"""The twelfth set: sixty questions as they are shouted over a ward or typed between two patients,
nine of them in Chinese; written before any of them had been asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ask_questions import records as r


def one(*names: str) -> list[list[str]]:
    return [[name] for name in names]


def questions() -> Iterator[tuple[Any, ...]]:
    h, big = "handmade", "synthea615"
    res = r.HM.results

    def val(family: str, name: str, at: int = -1) -> list[float]:
        return [res(family, name)[at][1]]

    covid = [i for i in r.HM.of("Al-Sayed", "Immunization") if i["status"] == "completed" and "COVID" in r.text(i["vaccineCode"])]
    # handover and telephone English
    yield ("meds", "odd", h, "ringing about Becker, Thomas - what's he on?", "names", one(*r.HM.drugs("Becker", "active")))
    yield ("meds", "odd", h, "Kim's bone tablets: on hold or still going?", "names", one("Alendronic acid 70 MG Oral Tablet"), {"alt": [["on hold"], ["no"]], "or_refusal": True})
    yield ("meds", "odd", h, "pharmacy wants to know if Mr Cohen is still having his clopidogrel", "bool", ["no"])
    yield ("meds", "odd", h, "did anyone ever put Robert Nguyen on an SSRI?", "bool", ["yes"])
    yield ("meds", "odd", h, "Nguyen's lisinopril, what strength are we at now?", "contains", ["20"], {"or_refusal": True})
    yield ("meds", "odd", h, "is Raman on the amlodipine or was that scrapped?", "bool", ["no"], {"or_refusal": True})
    yield ("meds", "odd", h, "what does Priya buy over the counter for her back?", "names", one("Ibuprofen 200 MG Oral Tablet"), {"or_refusal": True})
    yield ("meds", "odd", h, "which of Cohen's tablets got binned?", "names", one(*r.HM.drugs("Cohen", "stopped")))
    yield ("meds", "odd", h, "ACE inhibitor cough - which pt had the lisinopril stopped for it?", "patients", r.named("hm-004")[0], {"or_refusal": True})
    yield ("meds", "odd", h, "Was alteplase actually pushed in David Cohen's case?", "bool", ["no"])
    yield ("meds", "odd", h, "Any heparin during Cohen's MI admission?", "bool", ["yes"], {"or_refusal": True})
    yield ("meds", "odd", h, "Sousa: basal insulin, name it", "names", one("Insulin glargine 100 UNT/ML Injectable Solution"), {"or_refusal": True})
    yield ("meds", "odd", h, "when did we kick off Wei Li's entecavir", "date", ["2010-01-01"])
    # labs
    yield ("labs", "odd", h, "Wei Li's K, was the last one ok?", "bool", ["yes"], {"alt": [val("Li", "Potassium")]})
    yield ("labs", "odd", h, "what did Wei Li's potassium peak at", "number", [max(v for d, v in res("Li", "Potassium"))])
    yield ("labs", "odd", h, "Nguyen's creat over the years please, all of them", "number", [v for d, v in res("Nguyen", "Creatinine")])
    yield ("labs", "odd", h, "has Al-Sayed's Hb been sliding?", "bool", ["yes"], {"alt": [["falling"]]})
    yield ("labs", "odd", h, "Al-Sayed Hb at booking (first one)?", "number", val("Al-Sayed", "Hemoglobin", 0))
    yield ("labs", "odd", h, "Grace Kim: T score better or worse than in 2015?", "trend", ["rising"], {"alt": [["better"], ["improved"]], "or_refusal": True})
    yield ("labs", "odd", h, "was Cohen's LDL ever at target, i.e. below 70?", "bool", ["yes"])
    yield ("labs", "odd", h, "anything off in Brandt's bloods?", "bool", ["no"], {"alt": [[]], "or_refusal": True})
    yield ("labs", "odd", h, "anything off in Becker's bloods?", "bool", ["yes"], {"alt": [one("Creatinine")]})
    yield ("labs", "odd", h, "Which of our lot have got a creat over 1.5 on their latest?", "patients", r.named("hm-013", "pt-7A")[0])
    yield ("labs", "odd", h, "how low are Wei Li's platelets", "number", val("Li", "Platelets"))
    yield ("labs", "odd", h, "average of Sandra Kowalski's sugars on 10 May 2021", "number", [round(sum([92, 188, 310]) / 3, 2)], {"or_refusal": True})
    yield ("labs", "odd", h, "Ana's a1c in the middle of 2020", "number", [7.9], {"or_refusal": True})
    yield ("labs", "odd", h, "Raman BP when she first came to us", "contains", ["162", "98"], {"or_refusal": True})
    # problems
    yield ("problems", "odd", h, "Does O'Neill carry a diagnosis of lupus?", "bool", ["no"], {"or_refusal": True})
    yield ("problems", "odd", h, "Margaret O'Neill - active problem list pls (not the rubbish that was refuted)", "names", one("Atrial fibrillation"), {"or_refusal": True})
    yield ("problems", "odd", h, "PE in Kowalski: in or out?", "bool", ["no"], {"or_refusal": True})
    yield ("problems", "odd", h, "is Ana Sousa a proven coeliac?", "bool", ["no"], {"or_refusal": True})
    yield ("problems", "odd", h, "Is Nguyen's depression still a thing?", "bool", ["no"], {"or_refusal": True})
    yield ("problems", "odd", h, "what did Sandra's dad have?", "names", one("Myocardial infarction", "Type 2 diabetes mellitus"), {"or_refusal": True})
    yield ("problems", "odd", h, "How many of them have dodgy kidneys (CKD, any stage)?", "count", ["2"])
    yield ("problems", "odd", h, "who's pregnant?", "patients", r.named("hm-007")[0])
    yield ("problems", "odd", h, "when did Nguyen's chest infection (the pneumonia) clear up?", "date", ["2019-01-15"], {"or_refusal": True})
    yield ("problems", "odd", h, "James Wilson diabetic y/n", "ambiguous", "ambiguous", {"between": [["1961-07-04", "hm-002"], ["1984-01-19", "hm-003"]]})
    # allergies, vaccines, procedures
    yield ("allergy", "odd", h, "Can I give Al-Sayed a penicillin, or is she allergic?", "bool", ["yes"], {"or_refusal": True})
    yield ("allergy", "odd", h, "Al-Sayed latex?", "bool", ["no"], {"or_refusal": True})
    yield ("allergy", "odd", h, "any drug allergies in Sousa?", "bool", ["no"], {"alt": [one("No known drug allergy")], "or_refusal": True})
    yield ("allergy", "odd", h, "what happens to Al-Sayed when she gets penicillin?", "names", one("Anaphylaxis"), {"or_refusal": True})
    yield ("procedures", "odd", h, "Mendez - did he ever have that colonoscopy?", "bool", ["no"])
    yield ("procedures", "odd", h, "did Cohen get a bypass in the end?", "bool", ["no"], {"or_refusal": True})
    yield ("procedures", "odd", h, "has Carlos Mendez had his flu jab in 2019?", "bool", ["no"])
    yield ("procedures", "odd", h, "how many covid jabs has Al-Sayed had so far", "count", [str(len(covid))])
    yield ("visits", "odd", h, "last time anybody clapped eyes on Priya Raman?", "date", ["2021-06-21"], {"or_refusal": True})
    yield ("people", "odd", h, "Peggy O'Neill, still with us or not?", "names", one("dead", "died", "no"), {"alt": [["no"], ["2021-11-02"], ["dead"], ["deceased"]]})
    # counts over the larger set
    yield ("counts", "odd", big, "number of punters with a nut allergy", "count", r.n(r.allergic("nut")))
    yield ("counts", "odd", big, "headcount: on warfarin AND a statin", "count", r.n(r.on("warfarin") & r.on("statin")), {"or_refusal": True})
    yield ("counts", "odd", big, "how many ladies over here have got epilepsy?", "count", r.n(r.sick("epilepsy") & r.sex("female")), {"or_refusal": True})
    yield ("counts", "odd", big, "how many folk can't have shellfish?", "count", r.n(r.allergic("shellfish")), {"or_refusal": True})
    # Chinese
    yield ("zh", "odd", h, "Priya Raman 还在吃赖诺普利吗？", "bool", ["no"])
    yield ("zh", "odd", h, "David Cohen 最近的低密度脂蛋白达标了吗（低于70）？", "bool", ["yes"], {"or_refusal": True})
    yield ("zh", "odd", h, "李伟的血钾最高到过多少？", "number", [5.9])
    yield ("zh", "odd", h, "Fatima Al-Sayed 对乳胶过敏吗？", "bool", ["no"])
    yield ("zh", "odd", h, "Carlos Mendez 抽烟吗？", "bool", ["no"], {"or_refusal": True})
    yield ("zh", "odd", h, "Robert Nguyen 的肌酐这几年怎么变的？", "trend", ["rising"], {"alt": [[v for d, v in res("Nguyen", "Creatinine")]], "or_refusal": True})
    yield ("zh", "odd", h, "Margaret O'Neill 还活着吗？", "bool", ["no"])
    yield ("zh", "odd", h, "Grace Kim 什么时候做的骨密度检查？", "date", ["2020-08-18"], {"or_refusal": True})
    yield ("zh", "odd", big, "对坚果过敏的有几个人？", "count", r.n(r.allergic("nut")))
# fmt: on
