// Small line drawings, in the colour of the text around them.

import type { ReactNode } from "react";

function icon(children: ReactNode) {
	return (
		<svg
			viewBox="0 0 20 20"
			fill="none"
			stroke="currentColor"
			strokeWidth="1.6"
			strokeLinecap="round"
			strokeLinejoin="round"
			aria-hidden="true"
		>
			{children}
		</svg>
	);
}

export const icons = {
	parts: icon(
		<path d="M10 6.5v5m0-3.5L5.5 10M10 8l4.5 2M10 11.5 7 17m3-5.5 3 5.5M10 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4" />,
	),
	undo: icon(<path d="M7 4 3.5 7.5 7 11M4 7.5h8a4.5 4.5 0 0 1 0 9H8" />),
	redo: icon(<path d="m13 4 3.5 3.5L13 11M16 7.5H8a4.5 4.5 0 0 0 0 9h4" />),
	download: icon(<path d="M10 3v9m0 0 3.5-3.5M10 12 6.5 8.5M4 16h12" />),
	upload: icon(<path d="M10 13V4m0 0L6.5 7.5M10 4l3.5 3.5M4 16h12" />),
	link: icon(
		<path d="M8 12a3 3 0 0 0 4.5.3l2.6-2.6a3 3 0 0 0-4.2-4.2L9.7 6.6M12 8a3 3 0 0 0-4.5-.3l-2.6 2.6a3 3 0 0 0 4.2 4.2l1.2-1.1" />,
	),
	help: icon(
		<>
			<circle cx="10" cy="10" r="7" />
			<path d="M8 8a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.3M10 13.6v.1" />
		</>,
	),
	sun: icon(
		<>
			<circle cx="10" cy="10" r="3.2" />
			<path d="M10 2.5v1.8M10 15.7v1.8M2.5 10h1.8M15.7 10h1.8M4.7 4.7 6 6M14 14l1.3 1.3M15.3 4.7 14 6M6 14l-1.3 1.3" />
		</>,
	),
	moon: icon(<path d="M16 11.6A6.5 6.5 0 1 1 8.4 4a5.2 5.2 0 0 0 7.6 7.6Z" />),
	auto: icon(
		<>
			<circle cx="10" cy="10" r="6.5" />
			<path d="M10 3.5a6.5 6.5 0 0 1 0 13Z" fill="currentColor" />
		</>,
	),
	panel: icon(
		<>
			<rect x="3" y="4" width="14" height="12" rx="2" />
			<path d="M12.5 4v12" />
		</>,
	),
	close: icon(<path d="m5.5 5.5 9 9m0-9-9 9" />),
	plus: icon(<path d="M10 4.5v11M4.5 10h11" />),
	trash: icon(<path d="M4 6h12M8 6V4.5h4V6m2.5 0-.7 10H6.2L5.5 6M8.5 9v4.5M11.5 9v4.5" />),
	pin: icon(<path d="M10 12v5M6.5 12h7l-1.2-3V4.5h1V3H6.7v1.5h1V9Z" />),
	record: icon(<circle cx="10" cy="10" r="4.5" fill="currentColor" />),
	stop: icon(<rect x="5.5" y="5.5" width="9" height="9" rx="1.5" fill="currentColor" />),
	loop: icon(
		<path d="M5 8.5a5 5 0 0 1 8.5-2.3L15 7.7M15 4.2v3.5h-3.5M15 11.5a5 5 0 0 1-8.5 2.3L5 12.3m0 3.5v-3.5h3.5" />,
	),
	cutStart: icon(<path d="M6 4v12M16 10H9m0 0 3-3m-3 3 3 3" />),
	cutEnd: icon(<path d="M14 4v12M4 10h7m0 0L8 7m3 3-3 3" />),
	film: icon(<path d="M3.5 5h13v10h-13ZM7 5v10M13 5v10M3.5 8.3H7M3.5 11.7H7M13 8.3h3.5M13 11.7h3.5" />),
	play: icon(<path d="M6.5 4.5v11l9-5.5Z" fill="currentColor" />),
	pause: icon(<path d="M7 5v10M13 5v10" strokeWidth="2.6" />),
	reset: icon(<path d="M4.5 10a5.5 5.5 0 1 0 1.9-4.2M4.5 3.5v3.2h3.2" />),
	camera: icon(
		<>
			<path d="M3 7h3l1.3-2h5.4L14 7h3v9H3Z" />
			<circle cx="10" cy="11.2" r="2.6" />
		</>,
	),
	frame: icon(<path d="M3.5 7V3.5H7M13 3.5h3.5V7M16.5 13v3.5H13M7 16.5H3.5V13" />),
	eye: icon(
		<>
			<path d="M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5Z" />
			<circle cx="10" cy="10" r="2.2" />
		</>,
	),
	chevron: icon(<path d="m6 8 4 4 4-4" />),
};
