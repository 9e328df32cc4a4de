// Keys as unsigned numbers that order as the elements do. KEY is the unsigned type of the elements' width; KIND 0 of
// unsigned, 1 of signed integers, 2 of floats, whose bits are turned so that they order as total_cmp says.

KEY turned(KEY key) {
    KEY top = (KEY)1 << (8 * sizeof(KEY) - 1);
    if (KIND == 0)
        return key;
    if (KIND == 1)
        return key ^ top;
    return key & top ? (KEY)~key : (KEY)(key | top);
}

KEY turned_back(KEY key) {
    KEY top = (KEY)1 << (8 * sizeof(KEY) - 1);
    if (KIND == 0)
        return key;
    if (KIND == 1)
        return key ^ top;
    return key & top ? (KEY)(key ^ top) : (KEY)~key;
}
