import { deflateRawSync } from "node:zlib";
import { assert, jointIn } from "../studio.mjs";

/** A cube of one metre about the origin, as STL. */
function cube() {
	const corner = (i) => [0, 1, 2].map((bit) => ((i >> bit) & 1 ? 0.5 : -0.5));
	const faces = [
		[0, 4, 6, 2],
		[1, 3, 7, 5],
		[0, 1, 5, 4],
		[2, 6, 7, 3],
		[0, 2, 3, 1],
		[4, 5, 7, 6],
	];
	const triangles = faces.flatMap(([a, b, c, d]) => [
		[a, b, c],
		[a, c, d],
	]);
	const bytes = Buffer.alloc(84 + 50 * triangles.length);
	bytes.writeUInt32LE(triangles.length, 80);
	triangles.forEach((triangle, t) => {
		triangle.flatMap(corner).forEach((x, k) => {
			bytes.writeFloatLE(x, 84 + 50 * t + 12 + 4 * k);
		});
	});
	return bytes;
}

const link = (name, visual) => `<link name="${name}"><visual>${visual}</visual></link>`;
const joint = (name, parent, child, xyz) =>
	`<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/><origin xyz="${xyz}"/>` +
	`<axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="9" velocity="2"/></joint>`;

const ROBOT = `<robot name="crane"><material name="orange"><color rgba="0.9 0.45 0.1 1"/></material>
${link("base", '<geometry><cylinder radius="0.15" length="0.2"/></geometry>')}
${link("lower", '<origin xyz="0 0 0.25"/><geometry><mesh filename="package://crane/cube.stl" scale="0.12 0.12 0.5"/></geometry><material name="orange"/>')}
${link("upper", '<origin xyz="0 0 0.2"/><geometry><mesh filename="package://crane/cube.stl" scale="0.1 0.1 0.4"/></geometry><material name="orange"/>')}
${link("tool", '<geometry><sphere radius="0.08"/></geometry>')}
${link("fork", '<geometry><mesh filename="package://crane/meshes/fork.dae"/></geometry>')}
${joint("shoulder", "base", "lower", "0 0 0.1")}${joint("elbow", "lower", "upper", "0 0 0.5")}
${joint("wrist", "upper", "tool", "0 0 0.4")}
<joint name="mount" type="fixed"><parent link="tool"/><child link="fork"/><origin xyz="0 0 0.1"/></joint></robot>`;

/** A zip with one compressed file of the given size, all zeros. */
function bomb(size) {
	const name = Buffer.from("crane.urdf");
	const packed = deflateRawSync(Buffer.alloc(size));
	const what = Buffer.alloc(26);
	[20, 0, 8].forEach((value, i) => {
		what.writeUInt16LE(value, 2 * i);
	});
	what.writeUInt32LE(packed.length, 14);
	what.writeUInt32LE(size, 18);
	what.writeUInt16LE(name.length, 22);
	const head = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), what, name, packed]);
	const entry = Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), what, Buffer.alloc(14), name]);
	const end = Buffer.alloc(22);
	end.write("PK\x05\x06", 0, "latin1");
	end.writeUInt16LE(1, 8);
	end.writeUInt16LE(1, 10);
	end.writeUInt32LE(entry.length, 12);
	end.writeUInt32LE(head.length, 16);
	return Buffer.concat([head, entry, end]);
}

export default {
	name: "a robot with its meshes, dropped together; a zip that is a bomb is refused",
	async run(studio, page) {
		await studio.open();
		await studio.dropAll([
			["crane.urdf", ROBOT],
			["cube.stl", cube()],
		]);
		await page.waitForFunction(() => window.sinew.state().rig?.name === "crane", null, { timeout: 15_000 });
		await studio.ready();
		await studio.toast(/Collada/);
		const { rig } = await studio.state();
		assert.ok(rig.mesh, "it comes with its meshes");
		assert.deepEqual(
			rig.joints.map(({ name }) => name),
			["base", "shoulder", "elbow", "wrist", "mount"],
		);
		const before = jointIn(await studio.rest(), 4);
		await studio.drag(await studio.jointOnScreen(4), [70, 40], 15);
		const after = jointIn(await studio.rest(), 4);
		assert.ok(Math.hypot(...after.map((x, i) => x - before[i])) > 0.05, "it follows");

		// What is exported looks the same: the parts are in the file, with their colours.
		const file = await studio.export("Pose", "GLB");
		const text = file.bytes.toString("latin1");
		assert.ok(text.includes("COLOR_0") && !text.includes('"bones"'), "the parts and no octahedra");
		await studio.drop(file.name, file.bytes);
		await page.waitForFunction(
			() =>
				window.sinew.state().rig?.source.kind === "upload" && window.sinew.state().rig.motions.length === 1,
		);
		await studio.ready();
		assert.ok((await studio.state()).rig.mesh);

		// A reload finds all of it again.
		await page.reload();
		await studio.ready();
		assert.ok((await studio.state()).rig.mesh);

		await studio.drop("bomb.zip", bomb(200 << 20));
		await studio.toast(/no bomb/);
		await studio.drop("nothing.zip", "PK\x03\x04 nothing");
		await studio.toast(/unpacked/);
	},
};
