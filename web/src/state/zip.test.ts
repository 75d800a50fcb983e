import { describe, expect, it } from "vitest";
import { oneFileOf, zipOf } from "./zip";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("one file of several", () => {
	it("is a zip as its definition says: entries, their list, and where that is", async () => {
		const zip = new Uint8Array(
			await zipOf([
				{ path: "r/a.urdf", bytes: bytes("123456789") },
				{ path: "r/b.stl", bytes: bytes("") },
			]).arrayBuffer(),
		);
		const view = new DataView(zip.buffer);
		expect(view.getUint32(0, true)).toBe(0x04034b50);
		// The checksum that every description of CRC-32 gives for these nine digits.
		expect(view.getUint32(14, true)).toBe(0xcbf43926);
		const end = zip.length - 22;
		expect(view.getUint32(end, true)).toBe(0x06054b50);
		expect(view.getUint16(end + 10, true)).toBe(2);
		const list = view.getUint32(end + 16, true);
		expect(list + view.getUint32(end + 12, true)).toBe(end);
		expect(view.getUint32(list, true)).toBe(0x02014b50);
		expect(new TextDecoder().decode(zip.subarray(list + 46, list + 54))).toBe("r/a.urdf");
		// The second entry is where its line of the list says.
		const second = list + 46 + 8;
		expect(view.getUint32(second, true)).toBe(0x02014b50);
		expect(view.getUint32(view.getUint32(second + 42, true), true)).toBe(0x04034b50);
	});

	it("leaves a single file alone, and says what is too large", async () => {
		const file = new File(["x"], "walk.bvh");
		expect(await oneFileOf([], [file], 10)).toBe(file);
		const both = await oneFileOf([], [new File(["x"], "arm.urdf"), new File(["y"], "a.stl")], 10);
		expect(both?.name).toBe("arm.zip");
		await expect(oneFileOf([], [file, new File(["0123456789"], "b")], 10)).rejects.toThrow(/larger/);
		expect(await oneFileOf([], [], 10)).toBeNull();
	});
});
