//! The patch, on what NVIDIA's OpenCL compiler really made (captured/ptx/README.md).

use std::{fs, path::Path};

use kerncast_collector::cuda::{
    Grid,
    ptx::{Parameter, Patched, Register, Unpatchable, patch},
};

fn captured(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captured/ptx");
    fs::read(folder.join(name).with_extension("ptx")).expect("a captured file")
}

fn patched(name: &str, function: &str) -> Patched {
    patch(&captured(name), function, 2).expect("it can be patched")
}

/// Lines that the patch changed, before and after, without indents; before is empty for a new line.
fn changes(name: &str, function: &str) -> Vec<(String, String)> {
    let before = String::from_utf8(captured(name)).expect("text");
    let after = patched(name, function).text;
    let tidy = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut before = before.trim_end_matches('\0').lines();
    let mut changes = Vec::new();
    for after in after.lines() {
        let is_new = after.starts_with("\t.param .u32 kerncast_");
        let before = if is_new {
            ""
        } else {
            before.next().unwrap_or("nothing")
        };
        if before != after {
            changes.push((tidy(before), tidy(after)));
        }
    }
    assert_eq!(before.next(), None, "{name}");
    changes
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(before, after): &(&str, &str)| ((*before).to_owned(), (*after).to_owned());
    expected.iter().map(owned).collect()
}

const TARGET: (&str, &str) = (".target sm_90, texmode_independent", ".target sm_90");

#[test]
fn changes_the_target_pointers_and_registers_and_nothing_else() {
    assert_eq!(
        changes("calls", "calls"),
        pairs(&[
            TARGET,
            ("mov.b32 %r14, %envreg6;", "mov.b32 %r14, %nctaid.x;"), // in a function called
            (
                ".param .u64 .ptr .global .align 4 calls_param_0,",
                ".param .u64 calls_param_0,"
            ),
            (
                ".param .u64 .ptr .global .align 4 calls_param_1,",
                ".param .u64 calls_param_1,"
            ),
            (
                ".param .u64 .ptr .shared .align 4 calls_param_2",
                ".param .u64 calls_param_2,"
            ),
            ("", ".param .u32 kerncast_envreg3"),
            (
                "mov.b32 %r3, %envreg3;",
                "ld.param.u32 %r3, [kerncast_envreg3];"
            ),
        ])
    );
}

#[test]
fn the_entry_takes_every_known_register_as_a_parameter() {
    use Register::{Dimensions, Groups, Offset};
    let patched = patched("ids", "ids");
    assert_eq!(
        patched.environment,
        [
            Offset(3),
            Offset(4),
            Offset(5),
            Offset(2),
            Groups(1),
            Offset(1),
            Groups(0),
            Offset(0),
            Dimensions,
            Groups(2)
        ]
    );
    let grid = Grid::new(&[64, 48], &[16, 4]).expect("small");
    let values = patched
        .environment
        .iter()
        .map(|register| register.value(&grid));
    assert!(values.eq([0, 0, 0, 0, 12, 0, 4, 0, 2, 1]));
    let head = patched.text.split_once(".entry ids(").expect("entry").1;
    let head = head.split_once(')').expect("its end").0;
    assert_eq!(head.matches(',').count(), 10);
    assert!(
        patched
            .text
            .contains("ld.param.u32 \t%r26, [kerncast_envreg9];")
    );
}

#[test]
fn local_arrays_leave_room_for_null() {
    let local: Vec<_> = changes("matrix_mul", "matrix_mul_local")
        .into_iter()
        .filter(|(before, _)| before.contains("matrix_mul_local_$_"))
        .collect();
    assert_eq!(
        local,
        pairs(&[
            (
                ".shared .align 4 .b8 matrix_mul_local_$_tile_a[1024];",
                ".shared .align 4 .b8 matrix_mul_local_$_tile_a[1028];"
            ),
            (
                "mov.u64 %rd16, matrix_mul_local_$_tile_a;",
                "mov.u64 %rd16, matrix_mul_local_$_tile_a+4;"
            ),
        ])
    );
}

#[test]
fn a_constant_argument_moves_all_constants_to_global_memory() {
    let constants: Vec<_> = changes("const_both", "const_both")
        .into_iter()
        .filter(|(before, _)| before.contains("const") && !before.contains(".param"))
        .collect();
    let table = "table[32] = {0, 0, 192, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 160, 64, \
                 0, 0, 224, 64, 0, 0, 48, 65, 0, 0, 80, 65, 0, 0, 136, 65};";
    assert_eq!(
        constants,
        pairs(&[
            (
                &format!(".const .align 4 .b8 {table}"),
                &format!(".global .align 4 .b8 {table}")
            ),
            (
                "ld.const.f32 %f1, [%rd11];",
                "ld.global.nc.f32 %f1, [%rd11];"
            ),
            (
                "ld.const.f32 %f2, [%rd12];",
                "ld.global.nc.f32 %f2, [%rd12];"
            ),
        ])
    );
    // Also in the functions that have no such argument, as the assembler does it.
    let text = patched("const_mix", "mix_a").text;
    assert!(!text.contains("ld.const") && text.contains(".global .align 4 .b8 table[32]"));
}

#[test]
fn without_a_constant_argument_constants_stay() {
    let text = patched("const_file", "const_file").text;
    assert!(text.contains("\n.const .align 4 .b8 table[32]") && text.contains("ld.const.f32"));
}

#[test]
fn reads_every_kind_of_parameter() {
    use Parameter::{Buffer, Local, Value};
    let parameters = |name, function| patched(name, function).parameters;
    assert_eq!(
        parameters("locals", "locals"),
        [
            Buffer,
            Local { align: 1 },
            Local { align: 8 },
            Local { align: 16 }
        ]
    );
    // A structure, float4, char, ushort, long, uchar3.
    let sizes = [24, 16, 1, 2, 8, 4].map(|bytes| Value { bytes });
    assert_eq!(parameters("values", "byvalue")[1..], sizes);
    assert_eq!(
        parameters("const_arg", "const_arg"),
        [Buffer, Buffer, Buffer, Value { bytes: 4 }]
    );
    assert_eq!(
        parameters("matmul_clock", "clk"),
        [Buffer, Local { align: 8 }]
    );
}

#[test]
fn the_suite_needs_no_refusal() {
    for name in [
        "aes_encrypt",
        "binomial_option",
        "dct8x8",
        "dwt_haar_1d",
        "fdtd3d",
        "matrix_mul",
        "matrix_multiplication",
        "median_filter",
        "n_body",
        "sobel_filter",
    ] {
        for variant in ["global", "local"] {
            let text = patched(name, &format!("{name}_{variant}")).text;
            for refused in ["texmode", ".ptr", "%envreg"] {
                assert!(!text.contains(refused), "{name}: {refused}");
            }
        }
    }
}

#[test]
fn what_cannot_be_replayed_is_refused_with_a_reason() {
    let image = |kind: &str| Err(Unpatchable::Image(kind.to_owned()));
    assert_eq!(patch(&captured("image"), "image", 1), image(".texref"));
    assert_eq!(patch(&captured("sampler"), "sampler", 1), image(".texref"));
    let ids = String::from_utf8(captured("ids")).expect("text");
    assert_eq!(
        patch(ids.replace("%envreg9", "%envreg31").as_bytes(), "ids", 1),
        Err(Unpatchable::Environment("31".to_owned()))
    );
    assert_eq!(
        patch(ids.as_bytes(), "id", 1),
        Err(Unpatchable::NoEntry("id".to_owned()))
    );
    assert_eq!(
        patch(
            ids.replace(".param .u64 .ptr .global", ".param .u64 .ptr .tex")
                .as_bytes(),
            "ids",
            1
        ),
        Err(Unpatchable::Parameter(
            ".param .u64 .ptr .tex .align 4 ids_param_0".to_owned()
        ))
    );
    // What CUDA would read half of.
    let halved = ids.replacen(".target", "\0.target", 1);
    assert_eq!(patch(halved.as_bytes(), "ids", 1), Err(Unpatchable::NotPtx));
    // PoCL's program binary, and an ELF file.
    for binary in [&b"poclbin\0"[..], b"\x7fELF\x02\x01\xff"] {
        assert_eq!(patch(binary, "k", 1), Err(Unpatchable::NotPtx));
    }
}

#[test]
fn numbers_that_no_device_has_are_no_panic() {
    let most = u64::MAX;
    let program = |parameter: &str, body: &str| {
        format!(".version 8.0\n.entry k(\n{parameter}\n)\n{{\n{body}\n}}\n")
    };
    for parameter in [
        format!(".param .align 4 .b8 p[{most}]"),
        format!(".param .u64 .ptr .shared .align {most} p"),
    ] {
        let refused = patch(program(&parameter, "").as_bytes(), "k", 1);
        assert_eq!(refused, Err(Unpatchable::Parameter(parameter)));
    }
    for body in [
        format!(".shared .align 4 .b8 a[{most}];\nld.shared.u32 %r1, [a];"),
        format!(".shared .align {most} .b8 a[4];\nld.shared.u32 %r1, [a];"),
        format!(".shared .align 4 .b8 a[4];\nld.shared.u32 %r1, [a+{most}];"),
    ] {
        patch(program(".param .u32 p", &body).as_bytes(), "k", 1).expect("text");
    }
}
