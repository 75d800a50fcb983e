// One file of several: a folder that was dropped, or files that belong together, as a zip. Nothing is compressed: it
// travels within this machine.

const MOST_FILES = 4000;

export interface Packed {
	/** With folders, parted by `/`. */
	path: string;
	bytes: Uint8Array;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
	let c = i;
	for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
	return c;
});

function checksum(bytes: Uint8Array): number {
	let crc = 0xffffffff;
	for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 255] as number) ^ (crc >>> 8);
	return (crc ^ 0xffffffff) >>> 0;
}

/** Numbers as a zip has them: low bytes first, `[value, width]` each. */
function numbers(...values: [number, 2 | 4][]): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(values.reduce((sum, [, width]) => sum + width, 0));
	const view = new DataView(bytes.buffer);
	let at = 0;
	for (const [value, width] of values) {
		if (width === 2) view.setUint16(at, value, true);
		else view.setUint32(at, value, true);
		at += width;
	}
	return bytes;
}

/** The zip of these files. */
export function zipOf(files: readonly Packed[]): Blob {
	const parts: BlobPart[] = [];
	const listed: Uint8Array<ArrayBuffer>[] = [];
	let at = 0;
	let listLength = 0;
	for (const { path, bytes } of files) {
		const name = new TextEncoder().encode(path);
		// Version 2, names in UTF-8, stored, no date.
		const what = numbers(
			[20, 2],
			[0x800, 2],
			[0, 2],
			[0, 4],
			[checksum(bytes), 4],
			[bytes.length, 4],
			[bytes.length, 4],
			[name.length, 2],
			[0, 2],
		);
		parts.push(numbers([0x04034b50, 4]), what, name, bytes as Uint8Array<ArrayBuffer>);
		const entry = [
			numbers([0x02014b50, 4], [20, 2]),
			what,
			numbers([0, 2], [0, 2], [0, 2], [0, 4], [at, 4]),
			name,
		];
		for (const part of entry) {
			listed.push(part);
			listLength += part.length;
		}
		at += 4 + what.length + name.length + bytes.length;
	}
	const count = files.length;
	const end = numbers([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [listLength, 4], [at, 4], [0, 2]);
	return new Blob([...parts, ...listed, end]);
}

async function filesBelow(entry: FileSystemEntry, folder: string, found: [string, File][]): Promise<void> {
	if (found.length > MOST_FILES) throw new Error(`There are more than ${MOST_FILES} files in it.`);
	const path = folder + entry.name;
	if (entry.isFile) {
		const file = entry as FileSystemFileEntry;
		found.push([path, await new Promise<File>((resolve, reject) => file.file(resolve, reject))]);
		return;
	}
	const reader = (entry as FileSystemDirectoryEntry).createReader();
	for (;;) {
		// A browser hands out a hundred at a time.
		const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
			reader.readEntries(resolve, reject),
		);
		if (some.length === 0) return;
		for (const below of some) await filesBelow(below, `${path}/`, found);
	}
}

/** What was dropped as one file: a file as it is, folders and several files as a zip; `null` if nothing was. */
export async function oneFileOf(
	entries: readonly FileSystemEntry[],
	files: readonly File[],
	largest: number,
): Promise<File | null> {
	if (files.length === 1 && !entries.some((entry) => entry.isDirectory)) return files[0] ?? null;
	const found: [string, File][] = [];
	if (entries.length > 0) for (const entry of entries) await filesBelow(entry, "", found);
	else for (const file of files) found.push([file.name, file]);
	const first = found[0];
	if (!first) return null;
	const size = found.reduce((sum, [, file]) => sum + file.size, 0);
	const name = entries.length === 1 ? (entries[0]?.name ?? "files") : first[1].name.replace(/\.[^.]*$/, "");
	if (size > largest) {
		throw new Error(`${name} is larger than the ${Math.floor(largest / 1048576)} MB that can be read.`);
	}
	const packed: Packed[] = [];
	for (const [path, file] of found) packed.push({ path, bytes: new Uint8Array(await file.arrayBuffer()) });
	return new File([zipOf(packed)], `${name}.zip`);
}
