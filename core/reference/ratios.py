"""Oracle for intervals of the ratio of two shares: writes ratios.json.

Independent samples: the profile likelihood under p1 = r*p2 is maximised numerically (scipy), not by
the closed form, and the score statistic with N/(N - 1) is inverted by brentq. Paired samples: Bonett
and Price's limits from Wilson's quadratic solved by numpy.roots.
"""

import json
import math
from pathlib import Path

import numpy as np
import scipy
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import norm

Z = norm.ppf(0.975)


def constrained(x1, n1, x2, n2, r):
    """Baseline share p2 that maximises the likelihood when p1 = r*p2."""

    def term(k, p):
        return k * math.log(p) if k else 0.0

    def loss(p):
        return -(
            term(x1, r * p) + term(n1 - x1, 1 - r * p) + term(x2, p) + term(n2 - x2, 1 - p)
        )

    top = min(1.0, 1.0 / r)
    found = minimize_scalar(loss, bounds=(1e-12, top - 1e-12), method="bounded", options={"xatol": 1e-13})
    return found.x


def score(x1, n1, x2, n2, r):
    p2 = constrained(x1, n1, x2, n2, r)
    p1, n = r * p2, n1 + n2
    variance = (p1 * (1 - p1) / n1 + r * r * p2 * (1 - p2) / n2) * n / (n - 1)
    return (x1 / n1 - r * x2 / n2) / math.sqrt(variance)


def independent(x1, n1, x2, n2):
    observed = (x1 / n1) / (x2 / n2)
    lo = 0.0 if x1 == 0 else brentq(lambda r: score(x1, n1, x2, n2, r) - Z, 1e-6, max(observed, 1e-5), xtol=1e-12)
    hi = brentq(lambda r: score(x1, n1, x2, n2, r) + Z, max(observed, 1e-5), 1e3, xtol=1e-10)
    return [lo, hi]


def wilson(x, n, z):
    p = x / n
    return sorted(np.roots([1 + z * z / n, -(2 * p + z * z / n), p * p]).real.tolist())


def paired(both, first_only, second_only):
    n = both + first_only + second_only
    first, second = both + first_only, both + second_only
    a = math.sqrt((first_only + second_only + 2) / ((first + 1) * (second + 1)))
    b = math.sqrt((1 - (first + 1) / (n + 2)) / (first + 1))
    c = math.sqrt((1 - (second + 1) / (n + 2)) / (second + 1))
    z = a / (b + c) * Z
    (l1, u1), (l2, u2) = wilson(first, n, z), wilson(second, n, z)
    return [l1 / u2, u1 / l2]


VERSION = f"scipy {scipy.__version__}, numpy {np.__version__} (core/reference/ratios.py)"
vectors = []
for x1, n1, x2, n2 in [(8, 15, 4, 15), (10, 200, 30, 200), (75, 117, 64, 117), (0, 50, 6, 50), (164, 200, 110, 200)]:
    vectors.append({
        "id": f"ratio_{x1}_{n1}_{x2}_{n2}",
        "method": "independent_ratio_score",
        "inputs": {"x1": x1, "n1": n1, "x2": x2, "n2": n2, "conf": 0.95},
        "expected": {"ci": independent(x1, n1, x2, n2)},
        "tol": {"abs": 2e-6},
        "source": f"likelihood maximised numerically, {VERSION}; statsmodels 0.15.0 confint_proportions_2indep(compare='ratio', method='score') gives the same",
    })
for both, first_only, second_only, neither in [(1, 1, 7, 12), (6, 4, 24, 166), (10, 10, 30, 150), (13, 37, 3, 147), (102, 58, 8, 32)]:
    vectors.append({
        "id": f"paired_ratio_{both}_{first_only}_{second_only}_{neither}",
        "method": "paired_ratio_bonett_price",
        "inputs": {"both": both, "first_only": first_only, "second_only": second_only, "neither": neither, "conf": 0.95},
        "expected": {"ci": paired(both, first_only, second_only)},
        "tol": {"abs": 1e-9, "rel": 1e-9},
        "source": f"Bonett and Price 2006, Wilson's quadratic by numpy.roots, {VERSION}" + ("; Fagerland, Lydersen and Laake 2017, table of ch. 8: 0.068 to 0.923" if neither == 12 else ""),
    })
lines = ",\n".join("  " + json.dumps(vector) for vector in vectors)
Path(__file__).with_name("ratios.json").write_text(f"[\n{lines}\n]\n")
