//! No text makes a parser panic, and a tidy table that was printed is read back as it was.

use std::collections::BTreeMap;

use kerncast_profilers::{Format, Launch, join, parse, parse_as, parse_bytes};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

use super::print_tidy::print_tidy;

/// Names as people write them, commas, quotes, breaks and all, without white space around.
fn name() -> impl Strategy<Value = String> {
    "\\PC{0,6}[\n\r,;\"'= ]{0,2}\\PC{1,6}"
        .prop_map(|text| text.trim().to_owned())
        .prop_filter("a name", |name| !name.is_empty())
}

fn counters() -> impl Strategy<Value = BTreeMap<String, BTreeMap<String, f64>>> {
    let provider =
        "[a-z][a-z0-9_]{0,7}".prop_filter("no provider is called so", |name| name != "param");
    btree_map(provider, btree_map(name(), 0.0..f64::MAX, 1..4), 0..3)
}

prop_compose! {
    fn launch()(
        (kernel, variant, family, generated) in (name(), option::of(name()), option::of(name()), any::<bool>()),
        (vendor, device) in (option::of(name()), option::of(name())),
        parameters in btree_map(name(), any::<i64>(), 0..3),
        time_s in option::of(f64::MIN_POSITIVE..1e9),
        counters in counters(),
    ) -> Launch {
        Launch { kernel, variant, family, generated, vendor, device, parameters, time_s, counters, invocations: 1, ..Launch::default() }
    }
}

/// Lines of what real files are made of, in any order.
fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop_oneof![
        Just("\"ID\",\"Process ID\",\"Kernel Name\",\"Grid Size\",\"Block Size\",\"a__b\"\n"),
        Just("\"\",\"\",\"\",\"\",\"\",\"usecond\"\n"),
        Just("\"1\",\"2\",\"k\",\"(1, 1, 1)\",\"(2, 2, 2)\",\"1,632\"\n"),
        Just("\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Avg\"\n"),
        Just("d,k,1,m,<OVERFLOW>\n"),
        Just("Dispatch_Id,Kernel_Name,Counter_Name,Counter_Value\n"),
        Just("1,k,SQ_WAVES,-1\n"),
        Just("Instructions executed for kernel 'k':\n"),
        Just(" 12 - load global (1 bytes)\n"),
        Just("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"),
        Just("1,k,a__b,Mbyte,1.5\n"),
        Just("Time (%),Total Time (ns),Instances,Name\n"),
        Just("100,7,18446744073709551615,k\n"),
        Just("Kernel,Device,SubDeviceId,GpuTime[ns],a\n"),
        Just("k[SIMD8 {1; 1; 1} {9; 1; 1}],0,0,7,1\n"),
        Just("device;kernel;variant;time_s;ncu:a\n"),
        Just(";k;;0,5;1.234\n"),
        Just("==1== Warning: x\n"),
        Just("\"\n"),
        Just("\r\n"),
        Just("1e309,"),
    ];
    vec(scrap, 0..12).prop_map(|scraps| scraps.concat())
}

proptest! {
    #[test]
    fn no_text_makes_a_parser_panic(text in prop_oneof![any::<String>(), scraps()]) {
        for format in Format::ALL {
            let _ = parse_as(format, &text);
        }
        if let Ok(profile) = parse(&text) {
            let joined = join(profile.clone(), profile.clone()).expect("a file fits itself");
            prop_assert_eq!(joined.launches.len(), profile.launches.len());
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in any::<Vec<u8>>()) {
        let _ = parse_bytes(&bytes);
    }

    #[test]
    fn a_printed_table_is_read_back(launches in vec(launch(), 1..5)) {
        let parsed = parse(&print_tidy(&launches)).expect("a printed table");
        let without_lines = parsed.launches.into_iter().map(|launch| Launch { line: 0, ..launch });
        prop_assert_eq!(without_lines.collect::<Vec<_>>(), launches);
    }

    #[test]
    fn a_file_cut_anywhere_is_never_read_as_more_launches(cut in 0_usize..1926) {
        let text = include_str!("../captured/rocprofiler-sdk_docs_kernel_trace.csv");
        let whole = parse(text).expect("the whole file");
        if let Ok(profile) = parse(&text[..cut]) {
            prop_assert!(profile.launches.len() <= whole.launches.len());
        }
    }
}
