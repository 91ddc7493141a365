"""How each trained artefact was made: the corpora, noise, the heads, the boundary, and their evaluation.

Needs the `train` extra (torch, transformers, scikit-learn, matplotlib). Nothing that serves imports it.
"""
