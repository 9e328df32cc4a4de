//! Evaluated launch files: buffers, values and geometry.

use std::fs;

use kerncast_suite::{Data, Kernel, Launch, LaunchArgument, load};
use tempfile::TempDir;

/// A kernel whose output `out` has n elements; `text` is the rest of the launch file.
fn kernel(text: &str, files: &[(&str, &[u8])]) -> Result<(TempDir, Kernel), String> {
    let place = TempDir::new().expect("a folder");
    let folder = place.path().join("k");
    fs::create_dir(&folder).expect("a folder");
    let out =
        "[[arguments]]\nname = \"out\"\nbuffer = \"int\"\nlength = \"n\"\naccess = \"write\"\n";
    let sizes = "title = \"t\"\n[[sizes]]\nn = 64\n[[sizes]]\nn = 96\n";
    fs::write(folder.join("launch.toml"), [sizes, out, text].concat()).expect("writes");
    fs::write(folder.join("k.cl"), "").expect("writes");
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).expect("writes");
    }
    let mut kernels = load(&folder).map_err(|it| it.to_string())?;
    Ok((place, kernels.remove(0)))
}

/// The launch of a variant's size, and its buffers' contents.
fn launch(kernel: &Kernel, variant: &str, size: usize) -> (Launch, Vec<Option<Data>>) {
    let parameters = &kernel.sizes[size].parameters;
    let variant = kernel.variant(variant).expect("the variant");
    let launch = Launch::new(kernel, variant, parameters).expect("a launch");
    let inputs = launch.inputs(&kernel.name, parameters).expect("inputs");
    (launch, inputs)
}

const GLOBAL: &str = "[variants.global]\nfunction = \"f\"\nglobal = [\"n\"]\n";

#[test]
fn whole_numbers_need_no_quotes() {
    let text = format!(
        "[[arguments]]\nname = \"a\"\nbuffer = \"int\"\nlength = 8\nfill = {{ expression = 3 }}\n\
         [[arguments]]\nname = \"by\"\nscalar = \"float\"\nvalue = 2\n{GLOBAL}local = [32]\n"
    );
    let (_place, kernel) = kernel(&text, &[]).expect("a kernel");
    let (launch, inputs) = launch(&kernel, "global", 0);
    assert_eq!(inputs[1].as_ref().map(Data::as_i32), Some(&[3; 8][..]));
    let step = &launch.steps[0];
    assert_eq!(step.local, [32]);
    assert_eq!(
        step.arguments[2],
        LaunchArgument::Scalar(2_f32.to_ne_bytes().into())
    );
}

#[test]
fn a_work_group_size_that_is_left_open_divides_every_size() {
    let (_place, one) = kernel(GLOBAL, &[]).expect("a kernel");
    // 64 and 96.
    assert_eq!(launch(&one, "global", 1).0.steps[0].local, [32]);
    assert!(one.variants[0].steps[0].chooses_local);
    let text = "[variants.global]\nfunction = \"f\"\nglobal = [\"n\", 6]\n";
    let (_place, two) = kernel(text, &[]).expect("a kernel");
    assert_eq!(launch(&two, "global", 0).0.steps[0].local, [16, 2]);
}

#[test]
fn an_input_of_no_elements_is_a_null_pointer() {
    let text = format!(
        "[[arguments]]\nname = \"b\"\nbuffer = \"float\"\nlength = 0\nfill = {{ values = [0.0] }}\n{GLOBAL}"
    );
    let (_place, kernel) = kernel(&text, &[]).expect("a kernel");
    let (launch, inputs) = launch(&kernel, "global", 0);
    assert_eq!(inputs.len(), 1);
    assert_eq!(launch.steps[0].arguments[1], LaunchArgument::Null);
}

#[test]
fn a_step_without_work_is_skipped_and_a_launch_without_any_refused() {
    let steps = |last: &str| {
        let step = |function: &str, global: &str| {
            format!(
                "[[variants.global.steps]]\nfunction = \"{function}\"\nglobal = [\"{global}\"]\nlocal = [16]\n"
            )
        };
        let steps = [step("corner", last), step("rest", "n - 16 - 16 * round")];
        format!("[variants.global]\nrounds = \"n / 16\"\n{}", steps.concat())
    };
    let (_place, shrinking) = kernel(&steps("16"), &[]).expect("a kernel");
    let (launch, _) = launch(&shrinking, "global", 0);
    // Four rounds, of which the last has no rest.
    assert_eq!(launch.steps.len(), 7);
    assert_eq!(&*launch.steps[6].function, "corner");
    let refused = kernel(&format!("{GLOBAL}local = [1]\n").replace("\"n\"", "0"), &[]);
    let error = refused.expect_err("no work at all");
    assert!(error.contains("leaves nothing to do"), "{error}");
}

#[test]
fn a_file_by_size() {
    let npy = |numbers: i32| {
        let head = format!("{{'descr': '<i4', 'fortran_order': False, 'shape': ({numbers},), }}\n");
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend(u16::try_from(head.len()).expect("short").to_le_bytes());
        file.extend(head.bytes());
        file.extend((0..numbers).flat_map(|it| (numbers * it).to_le_bytes()));
        file
    };
    let text = format!(
        "[[arguments]]\nname = \"a\"\nbuffer = \"int\"\nlength = \"n\"\nfill = {{ file = \"a_{{n}}.npy\" }}\n{GLOBAL}"
    );
    let (_place, both) =
        kernel(&text, &[("a_64.npy", &npy(64)), ("a_96.npy", &npy(96))]).expect("a kernel");
    for (size, n) in [(0, 64), (1, 96)] {
        let (_, inputs) = launch(&both, "global", size);
        assert_eq!(inputs[1].as_ref().map(|it| it.as_i32()[2]), Some(2 * n));
    }
    let (_place, one) = kernel(&text, &[("a_64.npy", &npy(64))]).expect("a kernel");
    let parameters = &one.sizes[1].parameters;
    let of_96 = Launch::new(&one, one.reference(), parameters).expect("a launch");
    let error = of_96
        .inputs("k", parameters)
        .expect_err("no such file")
        .to_string();
    assert!(error.contains("a_96.npy is not there"), "{error}");
}

#[test]
fn an_argument_has_another_length_by_variant() {
    let tile = |length: u32, variant: &str| {
        format!(
            "[[arguments]]\nname = \"tile\"\nlocal = \"float\"\nlength = {length}\nvariants = [\"{variant}\"]\n"
        )
    };
    let other = GLOBAL.replace("global]", "other]");
    let text = [&tile(16, "global"), &tile(32, "other"), GLOBAL, &other].concat();
    let (_place, two) = kernel(&text, &[]).expect("a kernel");
    for (variant, bytes) in [("global", 64), ("other", 128)] {
        let (launch, _) = launch(&two, variant, 0);
        assert_eq!(
            launch.steps[0].arguments[1..],
            [LaunchArgument::Local(bytes)]
        );
    }
    let same = [&tile(16, "global"), &tile(32, "global"), GLOBAL].concat();
    let error = kernel(&same, &[]).expect_err("two of one variant");
    assert!(error.contains("two arguments are called `tile`"), "{error}");
}

#[test]
fn structures_in_structures_and_fields_that_follow_from_others() {
    let structs = "[[structs]]\nname = \"edge\"\n\
                   fields = [{ name = \"to\", type = \"int\" }, { name = \"length\", type = \"float\" }]\n\
                   [[structs]]\nname = \"town\"\n\
                   fields = [{ name = \"first\", type = \"int\" }, { name = \"count\", type = \"int\" }, \
                   { name = \"roads\", type = \"edge[2]\" }]\n";
    let fill = "[[arguments]]\nname = \"towns\"\nbuffer = \"town\"\nlength = 3\n[arguments.fill.fields]\n\
                first = { prefix_sum = { values = [4, 5, 6] } }\n\
                count = { expression = \"first[i + 1] - first[i]\" }\n\
                roads = { fields = { to = { expression = \"i\" }, length = { values = [0.5] } } }\n";
    let scalar = "[[arguments]]\nname = \"one\"\nscalar = \"town\"\n\
                  value = { first = 7, count = \"n\", roads = { to = [1, 2], length = 0.25 } }\n";
    let text = [structs, fill, scalar, GLOBAL].concat();
    let (_place, towns) = kernel(&text, &[]).expect("a kernel");
    let (launch, inputs) = launch(&towns, "global", 0);
    let words = |bytes: &[u8]| -> Vec<i32> {
        let words = bytes.chunks_exact(4);
        words
            .map(|it| i32::from_ne_bytes(it.try_into().expect("four")))
            .collect()
    };
    let half = i32::from_ne_bytes(0.5_f32.to_ne_bytes());
    let quarter = i32::from_ne_bytes(0.25_f32.to_ne_bytes());
    let bytes = inputs[1].as_ref().expect("filled").bytes();
    let expected = [
        [0, 4, 0, half, 1, half],
        [4, 5, 2, half, 3, half],
        [9, 6, 4, half, 5, half],
    ];
    assert_eq!(words(bytes), expected.concat());
    let LaunchArgument::Scalar(bytes) = &launch.steps[0].arguments[2] else {
        panic!("{:?}", launch.steps[0].arguments);
    };
    assert_eq!(words(bytes), [7, 64, 1, quarter, 2, quarter]);

    let lacks = text.replace(", length = { values = [0.5] }", "");
    let error = kernel(&lacks, &[]).expect_err("a field without a fill");
    assert!(error.contains("one for each field"), "{error}");
    let unknown = text.replace("length = 0.25", "length = 0.25, width = 1");
    let error = kernel(&unknown, &[]).expect_err("a value of no field");
    assert!(error.contains("value.roads.width` is no field"), "{error}");
}

/// Buffers that no function takes may help to fill those that one takes.
#[test]
fn fills_use_buffers_that_no_function_takes() {
    let text = "[[arguments]]\nname = \"starts\"\nbuffer = \"int\"\nlength = \"n + 1\"\n\
                fill = { expression = \"3 * i\" }\n\
                [[arguments]]\nname = \"counts\"\nbuffer = \"int\"\nlength = \"n\"\n\
                fill = { expression = \"starts[i + 1] - starts[i]\" }\n\
                [variants.global]\nfunction = \"f\"\narguments = [\"counts\", \"out\"]\nglobal = [\"n\"]\n";
    let (_place, kernel) = kernel(text, &[]).expect("a kernel");
    let (launch, inputs) = launch(&kernel, "global", 0);
    assert_eq!(launch.buffers.len(), 2);
    assert_eq!(inputs[1].as_ref().map(Data::as_i32), Some(&[3; 64][..]));
    let parameters = &kernel.sizes[0].parameters;
    let alone = launch.input("k", parameters, 1).expect("filled");
    assert_eq!(alone, inputs[1]);
}
