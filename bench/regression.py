"""Regression beside its peers: scikit-learn and numpy, in the same run, in turns, medians of repeats.

Called by scripts/bench with the Rust side's binary and a folder for matrices.
"""

import pathlib
import statistics
import subprocess
import sys
import time

import numpy
from sklearn.linear_model import LinearRegression

ROWS, COUNTERS, KERNELS = 100_000, 30, 50
BINARY, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])


def ours(*arguments):
    """The numbers that the Rust side prints."""
    run = subprocess.run([BINARY, *map(str, arguments)], check=True, capture_output=True, text=True)
    return [float(number) for number in run.stdout.split()]


def seconds(task):
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def samples(rows):
    """Counters of sizes from 1 to 1e9, each a mixture, and times that they explain up to a tenth."""
    random = numpy.random.default_rng(1)
    x = random.lognormal(size=(rows, COUNTERS)) @ random.uniform(size=(COUNTERS, COUNTERS))
    y = (x @ random.uniform(size=COUNTERS)) * random.uniform(0.9, 1.1, size=rows)
    x *= 10.0 ** random.integers(0, 10, size=COUNTERS)
    files = FOLDER / f"x{rows}", FOLDER / f"y{rows}"
    for matrix, file in zip((x, y), files):
        matrix.astype("<f8").tofile(file)
    return x, y, files


def by_kernel(fit):
    """Forecasts of rows by `fit`, refitted without each row's kernel: a function of rows in and rows out."""
    kernels = numpy.arange(ROWS) * KERNELS // ROWS
    forecasts = numpy.empty(ROWS)
    for kernel in range(KERNELS):
        out = kernels == kernel
        forecasts[out] = fit(~out, out)
    return forecasts


def leave_out():
    """Leave one kernel out, ols and nnls: from small sums here, by a refit a kernel there."""
    x, y, files = samples(ROWS)
    # scikit-learn takes counters for collinear that are merely small. Scaling changes no forecast.
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    terms = numpy.column_stack([x / x.max(axis=0), numpy.ones(ROWS)])
    shares = terms / y[:, None]

    def ols(rest, out):
        return LinearRegression().fit(z[rest], y[rest]).predict(z[out])

    def nnls(rest, out):
        fit = LinearRegression(positive=True, fit_intercept=False).fit(shares[rest], numpy.ones(rest.sum()))
        return terms[out] @ fit.coef_

    matrix = numpy.asfortranarray(numpy.column_stack([x, y]))
    for method, peer, repeats in (("ols", ols, 3), ("nnls", nnls, 1)):
        times = {"ours": [], "refits": [], "qr": []}
        for _ in range(repeats):
            times["ours"] += ours("leave-out", method, *files, KERNELS, FOLDER / "forecasts")
            times["qr"] += [seconds(lambda: numpy.linalg.qr(matrix, mode="r")) for _ in range(5)]
            start = time.perf_counter()
            theirs = by_kernel(peer)
            times["refits"].append(time.perf_counter() - start)
        apart = numpy.abs(numpy.fromfile(FOLDER / "forecasts", "<f8") / theirs - 1).max()
        ours_s, refits_s, qr_s = (statistics.median(times[of]) for of in ("ours", "refits", "qr"))
        print(f"leave one kernel out, {method}, {ROWS} rows x {COUNTERS} counters x {KERNELS} kernels")
        print(f"  kerncast {ours_s:.4f} s; scikit-learn, a refit a kernel {refits_s:.3f} s: {refits_s / ours_s:.0f} times faster (asked: 100)")
        print(f"  numpy.linalg.qr of the same matrix {qr_s:.4f} s: {ours_s / qr_s:.2f} times as long (asked: at most 2)")
        print(f"  forecasts differ by at most {apart:.1e}")


def stream():
    """Rows that never fit in memory at once."""
    few_s, few = ours("stream", 1_000_000, COUNTERS, KERNELS)
    many_s, many = ours("stream", 10_000_000, COUNTERS, KERNELS)
    print(f"summing up a stream x {COUNTERS} counters x {KERNELS} kernels and fitting without each kernel")
    print(f"  1,000,000 rows: {few_s:.2f} s, at most {few / 1024:.1f} MiB")
    print(f"  10,000,000 rows: {many_s:.2f} s, at most {many / 1024:.1f} MiB: {many / few:.2f} times the memory (asked: no growth)")


def predict():
    """One forecast, and a million at once beside numpy's product of the same matrix; where there is more to
    it than a product (squares and roots, logarithms and powers) also beside numpy's of the same."""
    x, _, files = samples(1_000_000)
    costs = numpy.ones(COUNTERS)
    peers = {
        "ols": lambda: x @ costs + 1.0,
        "per_worker": lambda: x @ costs + 1.0,
        "pnorm": lambda: numpy.sqrt((x * x) @ costs) + 1.0,
        "ridge_log": lambda: numpy.exp(numpy.log1p(x) @ (costs / COUNTERS) - 9.0),
    }
    for form, peer in peers.items():
        single, batch, product, same = [], [], [], []
        for _ in range(7):
            one, all_rows = ours("predict", form, *files)
            single.append(one)
            batch.append(all_rows)
            product.append(seconds(peers["ols"]))
            same.append(seconds(peer))
        batch_s, product_s, same_s = map(statistics.median, (batch, product, same))
        print(f"forecasts of {form} from {COUNTERS} counters")
        print(f"  one: {statistics.median(single) * 1e6:.2f} us (asked: below 5)")
        print(f"  1,000,000: {batch_s:.4f} s; numpy's product {product_s:.4f} s: {batch_s / product_s:.2f} times as long (asked: at most 2)")
        more = {"pnorm": "squares, product and roots", "ridge_log": "logarithms, product and powers"}.get(form)
        if more:
            print(f"  numpy's {more} {same_s:.4f} s: {batch_s / same_s:.2f} times as long")


leave_out()
stream()
predict()
