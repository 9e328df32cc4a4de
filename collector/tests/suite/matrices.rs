//! Both matrix products against ndarray's, in double precision.

use ndarray::Array2;

use crate::{RunOnce, assert_close, for_each_variant, to_f64};

const N: usize = 96; // six tiles of 16, three work-groups of 4 · 8

#[test]
fn matmul_float_is_the_product() {
    for_each_variant("matmul_float", [("n", N)], is_the_product);
}

#[test]
fn matmul_float4_is_the_product() {
    for_each_variant("matmul_float4", [("n", N)], is_the_product);
}

fn is_the_product(run: &RunOnce) {
    let matrix = |name: &str| {
        Array2::from_shape_vec((N, N), to_f64(run.inputs[name].as_f32())).expect("n × n numbers")
    };
    let product = matrix("a").dot(&matrix("b"));
    assert_close(
        run.outputs["c"].as_f32(),
        product.as_slice().expect("row-major"),
        1e-4,
    );
}
