//! Special functions against libm's, and the Mandelbrot set.

use crate::assert_each;

#[test]
fn special_functions_are_those_of_libm() {
    const N: usize = 256;
    let value = |[x]: &[Vec<f64>; 1], i: usize| {
        let x = x[i % N];
        match i / N {
            0 => x.powf(1.7) + x.cbrt() + 1.0 / x.sqrt(),
            1 => x.sin() * (2.0 * x).cos() + x.atan2(1.5),
            2 => x.tanh() + x.ln_1p() * x.asinh(),
            _ => libm::erf(x) + libm::lgamma(x + 1.0) + (-x).exp2(),
        }
    };
    assert_each(
        "special_functions",
        [("n", N)],
        (["x"], "values"),
        5e-6,
        value,
    );
}

#[test]
fn mandelbrot_counts_steps_to_escape() {
    const WIDTH: usize = 64;
    const HEIGHT: usize = 32;
    const LIMIT: usize = 200;
    // In single precision, as the kernel is: near the set's edge a last bit decides.
    let escape = |_: &[Vec<f64>; 0], i: usize| {
        let [column, row] = [i % WIDTH, i / WIDTH].map(|place| place as f32);
        let c = [
            -2.0 + 3.0 * column / WIDTH as f32,
            -1.5 + 3.0 * row / HEIGHT as f32,
        ];
        let path = std::iter::successors(Some([0.0_f32, 0.0]), |[x, y]| {
            Some([x * x - y * y + c[0], 2.0 * x * y + c[1]])
        });
        path.take(LIMIT)
            .take_while(|[x, y]| x * x + y * y <= 4.0)
            .count() as f64
    };
    let sizes = [("width", WIDTH), ("height", HEIGHT), ("limit", LIMIT)];
    assert_each("mandelbrot", sizes, ([], "escapes"), 0.0, escape);
}
