// Questions to the server while something is dragged: one at a time, and of
// those that came meanwhile only the newest.

export class Latest<T> {
	private busy = false;
	private waiting: { value: T } | null = null;

	constructor(private readonly ask: (value: T) => Promise<unknown>) {}

	push(value: T): void {
		if (this.busy) {
			this.waiting = { value };
			return;
		}
		this.busy = true;
		const done = () => {
			this.busy = false;
			const next = this.waiting;
			this.waiting = null;
			if (next) this.push(next.value);
		};
		this.ask(value).then(done, done);
	}
}
