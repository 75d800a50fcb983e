// Sends files to the server, and remembers them in this browser so that a link
// to a file works again after the server has forgotten it.

import type { Uploaded } from "../wire";

const DATABASE = "sinew-studio";
const FILES = "files";
const MOST_FILES = 12;

interface Kept {
	id: string;
	name: string;
	blob: Blob;
	when: number;
}

function database(): Promise<IDBDatabase> {
	return new Promise((resolve, reject) => {
		const request = indexedDB.open(DATABASE, 1);
		request.onupgradeneeded = () => request.result.createObjectStore(FILES, { keyPath: "id" });
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

function finished<T>(request: IDBRequest<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

/** Posts a file; fails with the server's words. One that no link will ask for need not be remembered. */
export async function upload(file: File, remembered = true): Promise<Uploaded> {
	const response = await fetch(`/api/upload?name=${encodeURIComponent(file.name)}`, {
		method: "POST",
		headers: { "content-type": "application/octet-stream" },
		body: file,
	});
	if (!response.ok) {
		const refusal = (await response.json().catch(() => null)) as { message?: string } | null;
		throw new Error(refusal?.message ?? `${file.name} could not be sent (${response.status}).`);
	}
	const uploaded = (await response.json()) as Uploaded;
	if (!remembered) return uploaded;
	await remember({ id: uploaded.id, name: file.name, blob: file, when: Date.now() }).catch(() => {
		// A browser without storage, or with none left, only loses old links.
	});
	return uploaded;
}

async function remember(kept: Kept): Promise<void> {
	const db = await database();
	const store = () => db.transaction(FILES, "readwrite").objectStore(FILES);
	await finished(store().put(kept));
	const all = (await finished(store().getAll())) as Kept[];
	const old = all.sort((a, b) => b.when - a.when).slice(MOST_FILES);
	for (const { id } of old) await finished(store().delete(id));
}

/** The file of that id, if this browser has sent it before. */
export async function recallUpload(id: string): Promise<File | null> {
	try {
		const db = await database();
		const kept = (await finished(db.transaction(FILES).objectStore(FILES).get(id))) as Kept | undefined;
		return kept ? new File([kept.blob], kept.name) : null;
	} catch {
		return null;
	}
}
