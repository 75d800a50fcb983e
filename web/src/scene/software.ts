// Whether the browser draws in software. Then words and plots are brought up to
// date less often and edges are not smoothed, so that the character keeps up
// with the pointer.

export const drawsInSoftware: boolean = (() => {
	if (typeof document === "undefined") return false;
	const context = document.createElement("canvas").getContext("webgl2");
	const extension = context?.getExtension("WEBGL_debug_renderer_info");
	const name = String(extension ? context?.getParameter(extension.UNMASKED_RENDERER_WEBGL) : "");
	context?.getExtension("WEBGL_lose_context")?.loseContext();
	return /swiftshader|llvmpipe|software/i.test(name);
})();

/** How often words and plots are brought up to date at most, in hertz. */
export const mostHertz = drawsInSoftware ? 3 : 60;
