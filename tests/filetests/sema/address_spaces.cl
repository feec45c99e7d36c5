// options: -cl-std=CL3.0
void generic_wanted(int *p);
kernel void conversions(global int *gp, local int *lp, constant int *cp) {
    private int own = 1;
    private int *pp = &own;
    int *p = gp;
    p = lp;
    p = pp;
    p = cp;
    gp = p;
    lp = p;
    pp = p;
    cp = p;
    gp = lp;
    cp = gp;
    gp = (global int *)p;
    gp = (global int *)lp;
    p = (int *)cp;
    cp = (constant int *)p;
    p = NULL;
    gp = NULL;
    generic_wanted(cp);
    generic_wanted(lp);
    int *q = own ? p : gp;
    q = own ? gp : lp;
    q = own ? cp : p;
    if (p == gp && p != NULL && gp < p && lp == gp)
        return;
    local int *local *ll;
    global int *local *gl;
    int *local *nl;
    ll = gl;
    ll = nl;
    ll = (local int *local *)nl;
    nl = ll;
    generic int *r = gp;
    generic int s;
    char *text = "constant";
}
