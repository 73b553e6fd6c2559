"""The papers' laboratory: baselines, recipes, sweeps and the simulator of clinical notes."""
