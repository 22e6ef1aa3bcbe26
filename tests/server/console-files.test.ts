import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { encodedFor, loadConsoleFiles, plainBytes } from '../../server/console-files.ts'
import { consolePage } from '../../server/console-page.ts'
import { createFolder } from '../cli/support.ts'

async function loadBuild() {
  const folder = await createFolder()
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'logo.png'), 'picture')
  for (const [name, text] of [
    ['index.html', '<html><head></head></html>'],
    ['assets/first-1a2b.js', 'start()'],
  ] as const) {
    writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text))
  }
  return { folder, files: loadConsoleFiles(folder) }
}

test('the files of a build are kept in memory with their types, after they are deleted on disk', async () => {
  const { folder, files } = await loadBuild()
  rmSync(folder, { recursive: true })
  expect([...files].map(([name, { type }]) => [name, type]).sort()).toEqual([
    ['assets/first-1a2b.js', 'text/javascript; charset=utf-8'],
    ['index.html', 'text/html; charset=utf-8'],
    ['logo.png', 'image/png'],
  ])
})

test.each([
  ['gzip, deflate, br', 'br'],
  ['br;q=1.0, gzip;q=0.5', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip; q=0.0, identity', undefined],
  ['br', 'br'],
  ['deflate', undefined],
  ['*;q=0', undefined],
  ['', undefined],
  [undefined, undefined],
])('a client that accepts %j gets the encoding %j', async (accepted, expected) => {
  const { files } = await loadBuild()
  const file = files.get('index.html')
  if (!file) throw new Error('there is no page')
  const { body, encoding } = encodedFor(file.content, accepted)
  expect(encoding).toBe(expected)
  const read = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes }[encoding ?? 'none']
  expect(read(body).toString()).toBe('<html><head></head></html>')
})

test('a file without compressed copies is sent unchanged', async () => {
  const { files } = await loadBuild()
  const file = files.get('logo.png')
  expect(file && encodedFor(file.content, 'gzip, br')).toEqual({ body: Buffer.from('picture') })
})

test('the page contains the status, which cannot close its script block, and is rebuilt after status changes', async () => {
  const { files } = await loadBuild()
  const file = files.get('index.html')
  if (!file) throw new Error('there is no page')
  let status = { system_name: '</script><script>alert(1)</script>' }
  const page = consolePage(file, () => status)

  const first = page()
  expect(page()).toBe(first)
  const html = plainBytes(first).toString()
  const [, block = ''] = /<script type="application\/json" id="status">(.*?)<\/script><\/head>/.exec(html) ?? []
  expect(JSON.parse(block)).toEqual(status)
  expect(html.match(/<script/g)).toHaveLength(1)

  status = { system_name: 'Another' }
  expect(plainBytes(page()).toString()).toContain('Another')
})
