import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { notices } from "./notices.ts";

// In development the page comes from Vite and everything under /api from a running studio.
const studio = process.env.SINEW_SERVER ?? "http://127.0.0.1:8017";

export default defineConfig({
	plugins: [react(), notices()],
	server: {
		host: "127.0.0.1",
		// The studio refuses pages from elsewhere; in development the page is its own.
		proxy: {
			"/api": { target: studio, changeOrigin: true, headers: { origin: studio } },
			"/ws": { target: studio, ws: true, changeOrigin: true, headers: { origin: studio } },
		},
	},
	build: { target: "es2022", chunkSizeWarningLimit: 2000, assetsInlineLimit: 0 },
	test: { include: ["src/**/*.test.{ts,tsx}"], environment: "node", testTimeout: 30_000 },
});
