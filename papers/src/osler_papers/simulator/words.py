"""The simulator's vocabulary: common clinical words, combined by chance into records of nobody."""

from __future__ import annotations


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.replace("\n", ",").split(",") if part.strip())


DISEASES = _list("""
hypertension, diabetes mellitus, atrial fibrillation, congestive heart failure
coronary artery disease
asthma, chronic obstructive pulmonary disease, pneumonia, urinary tract infection, anemia, gout
GERD
hypothyroidism, hyperthyroidism, osteoarthritis, rheumatoid arthritis, osteoporosis, depression
anxiety
migraine, seizure disorder, stroke, transient ischemic attack, peripheral vascular disease
cellulitis
deep venous thrombosis, pulmonary embolism, chronic kidney disease, acute renal failure, cirrhosis
hepatitis C, pancreatitis, cholecystitis, cholelithiasis, diverticulitis, peptic ulcer disease
colitis
irritable bowel syndrome, constipation, sepsis, bacteremia, endocarditis, pericarditis
aortic stenosis
mitral regurgitation, hyperlipidemia, hypercholesterolemia, hypertriglyceridemia, obesity
sleep apnea
sarcoidosis, lupus, psoriasis, eczema, glaucoma, cataract, macular degeneration, hearing loss
vertigo
Parkinson disease, dementia, delirium, multiple sclerosis, neuropathy, sciatica, spinal stenosis
breast cancer, prostate cancer, lung cancer, colon cancer, lymphoma, leukemia, melanoma
thyroid nodule
benign prostatic hypertrophy, nephrolithiasis, pyelonephritis, incontinence, endometriosis, fibroids
hypokalemia, hyperkalemia, hyponatremia, dehydration, malnutrition, vitamin D deficiency
iron deficiency
""")
SYMPTOMS = _list("""
chest pain, shortness of breath, headache, fever, nausea, vomiting, abdominal pain, back pain
dizziness
fatigue, cough, diarrhea, leg swelling, palpitations, syncope, rash, itching, joint pain, weakness
confusion, insomnia, weight loss, night sweats, hematuria, dysuria, hemoptysis, blurred vision
tremor
right leg pain, left shoulder pain, sore throat, nasal congestion, wheezing, loss of appetite
chills
numbness, muscle spasm, heartburn, bloating, urinary frequency, agitation, hoarseness
neck stiffness
""")
MODIFIERS = _list("""
acute, chronic, severe, mild, moderate, recurrent, progressive, intermittent, worsening, new onset
left sided, right sided, bilateral, persistent, diffuse, localized, known, underlying, longstanding
""")
MEDICATIONS = _list("""
aspirin, metoprolol, lisinopril, furosemide, simvastatin, atorvastatin, metformin, glipizide
insulin
warfarin, heparin, digoxin, amlodipine, diltiazem, losartan, hydrochlorothiazide, spironolactone
potassium chloride, levothyroxine, prednisone, albuterol, ipratropium, fluticasone, montelukast
omeprazole, pantoprazole, ranitidine, docusate, senna, acetaminophen, ibuprofen, oxycodone, morphine
tramadol, gabapentin, sertraline, fluoxetine, citalopram, lorazepam, zolpidem, haloperidol
quetiapine
levofloxacin, vancomycin, ceftriaxone, cefazolin, azithromycin, amoxicillin, ciprofloxacin
nafcillin
metronidazole, clindamycin, gentamicin, fluconazole, acyclovir, clopidogrel, enoxaparin
nitroglycerin
isosorbide, hydralazine, clonidine, carvedilol, atenolol, propranolol, verapamil, amiodarone
colchicine
allopurinol, folic acid, multivitamin, vitamin B12, calcium carbonate, ferrous sulfate
magnesium oxide
tamsulosin, finasteride, oxybutynin, alendronate, methotrexate, hydroxychloroquine, tacrolimus
cyclosporine
mycophenolate, phenytoin, levetiracetam, carbamazepine, valproate, lithium, donepezil, memantine
baclofen
cyclobenzaprine, ondansetron, metoclopramide, prochlorperazine, loperamide, lactulose, bisacodyl
nystatin
famotidine, sucralfate, glyburide, pioglitazone, rosuvastatin, gemfibrozil, niacin, ezetimibe
propofol
""")
TESTS = _list("""
chest x-ray, electrocardiogram, echocardiogram, complete blood count, urinalysis, blood culture
urine culture, head CT scan, abdominal CT scan, chest CT scan, brain MRI, lumbar puncture
colonoscopy
upper endoscopy, stress test, cardiac catheterization, carotid ultrasound, renal ultrasound
bone scan
liver function tests, thyroid panel, lipid panel, hemoglobin A1c, serum creatinine, troponin
D-dimer
arterial blood gas, pulmonary function tests, sputum culture, stool guaiac, EEG, electromyogram
biopsy
Holter monitor, venous duplex, bronchoscopy, mammogram, PET scan, prothrombin time
sedimentation rate
white blood cell count, serum potassium, serum sodium, blood glucose, blood pressure
oxygen saturation
physical examination, neurological examination, abdominal ultrasound, barium swallow, cystoscopy
""")
TREATMENTS = _list("""
physical therapy, oxygen therapy, mechanical ventilation, hemodialysis, blood transfusion
chemotherapy
radiation therapy, coronary bypass, angioplasty, pacemaker placement, appendectomy, cholecystectomy
hip replacement, knee replacement, mastectomy, colectomy, wound debridement, skin graft, intubation
chest tube placement, central line, intravenous fluids, antibiotics, steroids, anticoagulation
diuretics
beta blocker, ACE inhibitor, insulin drip, pain medication, bed rest, low salt diet
nebulizer treatment
cardioversion, ablation, stent placement, thoracentesis, paracentesis, tracheostomy, feeding tube
splinting, casting, laparotomy, hysterectomy, prostatectomy, lumpectomy, plasmapheresis
dressing changes
""")
OCCURRENCES = _list("""
admitted, discharged, transferred, seen, evaluated, presented, improved, stabilized, followed up
extubated, operated, consulted, returned home, ambulating, tolerating diet, monitored, referred
arrived
recovered, awoke, fell, complained, consented, deteriorated, treated, observed, weaned, restarted
stopped
""")
DEPARTMENTS = _list("""
emergency room, intensive care unit, cardiology, neurology, operating room, medical floor
surgical floor
recovery room, rehabilitation unit, oncology clinic, nephrology, pulmonary clinic, orthopedics
step-down unit
""")
EVIDENTIALS = _list(
    "showed, revealed, demonstrated, noted, reported, indicated, denied, confirmed, "
    "suggested, found"
)
DOSAGES = _list("""
81 mg, 325 mg, 25 mg, 50 mg, 100 mg, 10 mg, 20 mg, 40 mg, 80 mg, 5 mg, 2.5 mg, 500 mg, 1000 mg
250 mg
one tablet, two tablets, 10 units, 20 units, 5000 units, 2 puffs, 1 gm, 75 mg, 150 mcg, 0.125 mg
15 mEq
30 ml, 12.5 mg, 200 mg, 300 mg, 650 mg, 2 gm, 6 units, 90 mcg, 4 mg, 7.5 mg, 60 mg
""")
MODES = _list(
    "po, p.o., iv, by mouth, orally, intravenously, sublingual, subcutaneously, inhaled, "
    "topically, drip, pr, im, nasally, eye drops"
)
FREQUENCIES = _list("""
daily, bid, tid, qid, qhs, q6h, q8h, q12h, once a day, twice a day, every morning, every evening
prn
every other day, three times a day, with meals, q4h prn, once a week, at bedtime, as needed, q24h
""")
DURATIONS = _list("""
for 7 days, x 10 days, for two weeks, for 3 days, x 5 days, for one month, until discharge
for 14 days
for six weeks, times 3 doses, for 48 hours, overnight, for three months, x 1 week, for 21 days
""")
RELATIVES = _list(
    "mother, father, brother, sister, maternal grandmother, paternal grandfather, aunt, "
    "uncle, son, daughter"
)
OCCUPATIONS = _list(
    "teacher, mechanic, nurse, farmer, electrician, accountant, bus driver, carpenter, "
    "clerk, cook, painter, engineer"
)
OBESITY_DISEASES = _list("""
Asthma, CAD, CHF, Depression, Diabetes, Gallstones, GERD, Gout, Hypercholesterolemia, Hypertension
Hypertriglyceridemia, OA, Obesity, OSA, PVD, Venous Insufficiency
""")
HEADINGS = _list("""
family history, social history, past medical history, past surgical history
history of present illness
chief complaint, reason for admission, admission diagnosis, principal diagnosis, secondary diagnoses
discharge diagnosis, discharge condition, discharge disposition, discharge instructions, allergies
physical examination, vital signs, review of systems, laboratory data, radiology, hospital course
procedures, operations, complications, consultations, diet, activity, code status, functional status
mental status, occupation, immunizations, plan, assessment, impression, prognosis, pathology
electrocardiogram, advance directives, travel history, pending results, nutrition, rehabilitation
home services, wound care, equipment, cardiac history, psychiatric history, transfusions
""")
