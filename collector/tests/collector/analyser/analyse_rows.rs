//! What `kerncast analyse` shows of the accesses of small kernels: index, class, reuse and footprint.

use std::fs;

use super::analyse::{kerncast, output_of};

/// A buffer of the launch file, which the kernel reads and writes.
fn buffer(name: &str, ty: &str) -> String {
    format!(
        "[[arguments]]\nname = \"{name}\"\nbuffer = \"{ty}\"\nlength = \"128 * n\"\naccess = \"read_write\"\n\
         fill = {{ values = [1] }}\n"
    )
}

/// A number that is passed by value.
fn scalar(name: &str, ty: &str, value: &str) -> String {
    format!("[[arguments]]\nname = \"{name}\"\nscalar = \"{ty}\"\nvalue = {value}\n")
}

/// `access, class, reuse, group` of each access of the kernel `k`, in two work-groups of 32 work-items a row.
fn rows(source: &str, arguments: &[String]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let launch = format!(
        "title = \"Small\"\n[[sizes]]\nn = 64\n{}[variants.global]\nfunction = \"k\"\nfile = \"k.cl\"\n\
         global = [\"n\", \"4\"]\nlocal = [\"32\", \"1\"]\n",
        arguments.concat()
    );
    fs::write(folder.path().join("launch.toml"), launch).expect("writes");
    fs::write(folder.path().join("k.cl"), source).expect("writes");
    let (output, problem, went_well) =
        output_of(kerncast(&[folder.path().to_str().expect("UTF-8")]));
    assert!(went_well, "{output}{problem}");
    let (_, table) = output.split_once("│ at ").expect("a table of accesses");
    let lines = table.lines().skip(1).filter(|line| line.starts_with('│'));
    let row = |line: &str| {
        let cells = line.trim_matches('│').split("  ").map(str::trim);
        let cells: Vec<&str> = cells.filter(|it| !it.is_empty()).collect();
        let [_, access, class, _, reuse, group] = cells[..] else {
            panic!("{line}");
        };
        format!("{access}, {class}, {reuse}, {group}")
    };
    lines.map(row).collect()
}

#[test]
fn a_buffer_that_is_read_by_another_type_has_indices_of_it() {
    let source = "
kernel void k(global const uchar *bytes, global float *a, global const void *any, uint pitch) {
    const int x = get_global_id(0), y = get_global_id(1);
    global const float *row = (global const float *)(bytes + y * pitch);
    const float2 two = ((global const float2 *)any)[x];
    const float4 near = *(global const float4 *)(a + x);
    for (int j = 0; j < 3; j++)
        a[x] += row[x] + two.y + near.w + vload3(x + j, a).z;
}
";
    let arguments = [
        buffer("bytes", "uchar"),
        buffer("a", "float"),
        buffer("any", "float"),
        scalar("pitch", "uint", "\"256\""),
    ];
    assert_eq!(
        rows(source, &arguments),
        [
            "any[gid0], affine, 1 × 1, 32",
            // Four floats each, and the next work-item's begin one later.
            "a[gid0], affine, 1 × 3.66, 35",
            "bytes[gid1][gid0], affine, 3 × 1, 32",
            "a[3*gid0 + 3*j], affine, 1 × 2.82, 102",
            "a[gid0], affine, 3 × 1, 32",
            "a[gid0] =, affine, 3 × 1, 32",
        ]
    );
}

#[test]
fn an_array_in_a_structure_is_named_and_has_elements_of_its_own() {
    let source = "
typedef struct { uint tag; float place[2][3]; } cell;
float last(global const cell *of, int d) { return of->place[1][d]; }
kernel void k(global cell *cells, global float *out) {
    const int x = get_global_id(0);
    local cell near[32];
    near[get_local_id(0)].place[0][2] = 1;
    for (int d = 0; d < 3; d++)
        out[x] = last(cells + x, d) + cells[0].place[1][d];
    cells[x].tag = 2;
}
";
    let cells = "[[structs]]\nname = \"cell\"\n\
                 fields = [{ name = \"tag\", type = \"uint\" }, { name = \"place\", type = \"float[6]\" }]\n";
    let filled = "{ fields = { tag = { values = [1] }, place = { values = [1] } } }";
    let buffer_of_cells = buffer("cells", "cell").replace("{ values = [1] }", filled);
    let arguments = [cells.to_owned(), buffer_of_cells, buffer("out", "float")];
    assert_eq!(
        rows(source, &arguments),
        [
            "near[lid0].place[0][2] =, affine, 1 × 1, 32",
            "cells[gid0].place[1][d], affine, 1 × 1, 96",
            "cells[0].place[1][d], affine, 1 × 32, 3",
            "out[gid0] =, affine, 3 × 1, 32",
            "cells[gid0] =, affine, 1 × 1, 32",
        ]
    );
}

#[test]
fn numbers_of_an_array_that_is_passed_by_value_are_the_launch_files() {
    let source = "
typedef struct { int rank; int2 begin; int sizes[2][2]; } form;
int at(form of, int y, int x) { return (y + of.begin.y) * of.sizes[1][0] + x + of.begin.x; }
kernel void k(global float *a, form of, form set) {
    const int x = get_global_id(0), y = get_global_id(1);
    set.sizes[0][1] += 1;
    for (int d = 0; d < of.rank; d++)
        a[at(of, y, x)] = of.sizes[d][0];
    a[set.sizes[0][1]] = 1;
}
";
    let forms = "[[structs]]\nname = \"form\"\nfields = [{ name = \"rank\", type = \"int\" }, \
                 { name = \"begin\", type = \"int2\" }, { name = \"sizes\", type = \"int[4]\" }]\n";
    let value =
        "{ rank = \"2\", begin = [\"1\", \"2\"], sizes = [\"4\", \"n\", \"3 * n\", \"1\"] }";
    let arguments = [
        forms.to_owned(),
        buffer("a", "float"),
        scalar("of", "form", value),
        scalar("set", "form", value),
    ];
    let table_rows = rows(source, &arguments);
    let (others, last) = table_rows.split_at(4);
    assert_eq!(
        others[2..],
        [
            "of.sizes[d][0], affine, 1 × 32, 2",
            "a[gid1 + of@12][gid0 + of@8] =, affine, 2 × 1, 32",
        ]
    );
    // What the kernel changes is not what was passed.
    assert!(
        last[1].starts_with("a[set.sizes[0][1]] =, data"),
        "{last:?}"
    );
}

#[test]
fn a_number_that_each_pass_puts_back_is_what_it_was_before_the_loop() {
    let source = "
kernel void k(global float *a, int n) {
    const int x = get_global_id(0);
    int walks = x, moves = x, goes = x, skips = x;
    for (int pass = 0; pass < 4; pass++) {
        for (; walks < n; walks += get_global_size(0)) a[walks] = 1;
        walks = x;
        moves += 3;
        a[moves] = 2;
        moves -= 3;
        a[goes] = 3;
        goes = 0;
    }
    for (int pass = 0; pass < 4; pass++) {
        a[skips] = 4;
        skips = pass;
        if (pass == 2) continue;
        skips = x;
    }
    a[moves] = 5;
}
";
    let arguments = [buffer("a", "float"), scalar("n", "int", "\"2 * n\"")];
    assert_eq!(
        rows(source, &arguments),
        [
            "a[walks] =, affine, 4 × 1, 64",
            "a[gid0 + 3] =, affine, 4 × 1, 32",
            "a[goes] =, unknown, –, –",
            "a[skips] =, unknown, –, –",
            "a[gid0] =, affine, 1 × 1, 32",
        ]
    );
}

#[test]
fn a_diagonal_is_no_column_and_a_plane_no_row() {
    let source = "
kernel void k(global float *m, global float *t, global float *v, int n, int w, int h, int z) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    m[x * n + x + 1] = m[x * (n + 1)];
    t[x * (n + 1)] = t[x * (n + 1) + y];
    v[(z + 1) * h * w + y * w + x] = v[z * w * h + y * w + x];
    v[(y + z) * w + x] = 1;
}
";
    let number = |name: &str, value: &str| scalar(name, "int", &format!("\"{value}\""));
    let buffers = ["m", "t", "v"].map(|name| buffer(name, "float"));
    let numbers = [
        number("n", "n"),
        number("w", "n"),
        number("h", "4"),
        number("z", "1"),
    ];
    let table_rows = rows(source, &[buffers.to_vec(), numbers.to_vec()].concat());
    let accesses: Vec<&str> = table_rows
        .iter()
        .filter_map(|row| row.split(", ").next())
        .collect();
    assert_eq!(
        accesses,
        [
            "m[gid0][gid0]",
            "m[gid0][gid0 + 1] =",
            // Its rows are one longer: another access says so.
            "t[gid0][gid1]",
            "t[gid0][0] =",
            "v[z][gid1][gid0]",
            "v[z + 1][gid1][gid0] =",
            "v[gid1 + z][gid0] =",
        ]
    );
}

#[test]
fn a_number_with_a_point_that_is_rounded_is_known() {
    let source = "
kernel void k(global float *a, float radius, float sigma, double wide, int n) {
    const int x = get_global_id(0), r = ceil(radius);
    for (int j = -r; j <= r; j++) a[x + r + j] = 1;
    for (int j = 0; j < (int)floor(3 * sigma); j++) a[x + j] = 2;
    for (int j = 0; j < convert_int_rtp(n / 48.0f); j++) a[x + j] = 3;
    for (int j = 0; j < (int)ceil(10 * wide); j++) a[x + j] = 4;
    for (int j = 0; j < (int)sqrt(radius); j++) a[x + j] = 5;
}
";
    let arguments = [
        buffer("a", "float"),
        scalar("radius", "float", "2.5"),
        scalar("sigma", "float", "1.25"),
        scalar("wide", "double", "0.1"),
        scalar("n", "int", "\"n\""),
    ];
    assert_eq!(
        rows(source, &arguments),
        [
            "a[ceil(radius) + gid0 + j] =, affine, 1 × 5.89, 38",
            "a[gid0 + j] =, affine, 1 × 2.82, 34",
            "a[gid0 + j] =, affine, 1 × 1.94, 33",
            // 1 or a little more: it depends on how a device calculates it.
            "a[gid0 + j] =, affine, –, –",
            "a[gid0 + j] =, affine, –, –",
        ]
    );
}
