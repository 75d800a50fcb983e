/** Words as a sentence of their own. */
export function sentence(words: string): string {
	const first = words.charAt(0).toUpperCase() + words.slice(1);
	return words === "" || /[.!?]$/.test(first) ? first : `${first}.`;
}
