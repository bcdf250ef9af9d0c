import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

interface Icon {
  src: string;
  sizes: string;
  type: string;
  purpose: string;
}

const read = (path: string): Buffer => readFileSync(`public${path}`);
const manifest = JSON.parse(read('/manifest.webmanifest').toString()) as { icons: Icon[] };
const pictures = manifest.icons.filter((icon) => icon.type === 'image/png');

/** Width and height as the file itself says them. */
function measured(png: Buffer): string {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
}

test.each(pictures)('$src is as large as the manifest says', ({ src, sizes }) =>
  expect(measured(read(src))).toBe(sizes),
);

test('there are icons for screens of any kind, cut to shape or not', () => {
  const offered = pictures.map(({ sizes, purpose }) => `${purpose} ${sizes}`);
  for (const purpose of ['any', 'maskable'])
    for (const sizes of ['192x192', '512x512']) expect(offered).toContain(`${purpose} ${sizes}`);
});

test('the page links to all of it', () => {
  const page = readFileSync('index.html').toString();
  for (const path of ['/manifest.webmanifest', '/icons/touch-180.png', '/favicon.svg'])
    expect(page).toContain(`href="${path}"`);
  expect(measured(read('/icons/touch-180.png'))).toBe('180x180');
});
