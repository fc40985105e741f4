"""Times reportgen's bootstrap and sign flips against scipy's, in turns, and prints the ratios.

    cargo build --release --example resampling_speed
    python benches/resampling_scipy.py target/release/examples/resampling_speed

Needs numpy and scipy. Both work on the same 2,000 skewed values: the percentile interval of the
mean with 9,999 resamples, and the sign-flip test of the mean with 9,999 random patterns. Limits and
p are printed beside each other: they agree up to the error of 9,999 draws.
"""

import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy
from scipy import stats

ROUNDS, RESAMPLES = 7, 9999


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def main():
    rng = np.random.default_rng(1)
    values = rng.exponential(size=2000) - 0.95
    rows = []
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(repr(float(value)) for value in values))
        file.flush()
        for _ in range(ROUNDS):
            bootstrap, interval = timed(
                lambda: stats.bootstrap(
                    (values,), np.mean, n_resamples=RESAMPLES, method="percentile",
                    vectorized=True, rng=rng,
                ).confidence_interval
            )
            flips, test = timed(
                lambda: stats.permutation_test(
                    (values,), np.mean, permutation_type="samples", n_resamples=RESAMPLES,
                    vectorized=True, rng=rng,
                )
            )
            # The last rounds of a process, as scipy's are in a process that is warm.
            lines = subprocess.check_output([sys.argv[1], file.name, "4"], text=True).splitlines()
            timings = [[float(word) for word in line.split()] for line in lines[1:]]
            own = [statistics.median(column) for column in zip(*timings)]
            rows.append((bootstrap, own[0], flips, own[1]))
    print(f"scipy {scipy.__version__}, numpy {np.__version__}; {ROUNDS} rounds, milliseconds")
    for kind, of in (("median", statistics.median), ("least", min)):
        figures = [of(column) for column in zip(*rows)]
        for name, theirs, mine in (("bootstrap", *figures[:2]), ("sign flips", *figures[2:])):
            times = f"scipy {1e3 * theirs:8.2f}   own {1e3 * mine:7.2f}   {theirs / mine:6.1f} x"
            print(f"{name:<11}{kind:<7}{times}")
    print(f"interval   scipy {interval.low:.4f} {interval.high:.4f}   own {own[2]:.4f} {own[3]:.4f}")
    print(f"p          scipy {test.pvalue:.4f}   own {own[4]:.4f}")


main()
