/* The program around the static library. It exits with the step that failed. */
int sinew_no_std(void);

/* core and alloc of a target with an operating system come compiled to unwind and name
   these two. Nothing calls them: a panic aborts. */
void rust_eh_personality(void) {}
void _Unwind_Resume(void) {}

int main(void) {
    return sinew_no_std();
}
