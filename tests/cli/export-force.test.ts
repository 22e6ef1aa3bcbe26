import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { exportRows } from '../../cli/output/export-rows.ts'
import { withClock } from '../../cli/output/progress.ts'
import { ENGLISH } from '../../cli/texts.ts'
import { createFolder, createWorld, relayed } from './support.ts'

test('an export names --force for an existing file, and replaces it with --force', async () => {
  const { run, inside, folder } = await createWorld()
  await inside((toolkit, root) => relayed(toolkit, { id: root.id, username: 'root' }))
  writeFileSync(join(folder, 'log.csv'), 'before')
  const refused = await run(['log', 'export', '--output', 'log.csv'])
  expect(refused).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('--force') })
  expect(readFileSync(join(folder, 'log.csv'), 'utf8')).toBe('before')
  expect((await run(['log', 'export', '--output', 'log.csv', '--force'])).exitCode).toBe(0)
  expect(readFileSync(join(folder, 'log.csv'), 'utf8')).toMatch(/^id,/)
})

test('an export with --force that fails half-way leaves the file unchanged, and no other file', async () => {
  const folder = await createFolder()
  writeFileSync(join(folder, 'rows.jsonl'), 'before')
  const notes: string[] = []
  const cli = {
    ...ENGLISH,
    folder,
    note: (line: string) => notes.push(line),
    interruption: () => new AbortController().signal,
    progress: () => ({ at: () => {}, end: () => {} }),
  }
  const failing = exportRows(cli as never, { output: 'rows.jsonl', force: true }, async () => ({
    async *batches() {
      yield [{ id: 1 }]
      throw new Error('the connection is gone')
    },
    csv: {},
  }))
  await expect(failing).rejects.toThrow('the connection is gone')
  expect(readdirSync(folder)).toEqual(['rows.jsonl'])
  expect(readFileSync(join(folder, 'rows.jsonl'), 'utf8')).toBe('before')
  expect(notes.at(-1)).toBe('rows.jsonl is unchanged.')
})

test('long operations show elapsed seconds on a terminal, and nothing in a pipe', async () => {
  const written = { terminal: '', pipe: '' }
  const outputOf = (name: keyof typeof written) =>
    new Writable({
      write(chunk, _encoding, done) {
        written[name] += chunk
        done()
      },
    })
  const terminal = Object.assign(outputOf('terminal'), { isTTY: true as const, columns: 80 })
  expect(await withClock(terminal, 'Verifying', () => sleep(1200, 7))).toBe(7)
  await withClock(outputOf('pipe'), 'Verifying', () => sleep(1))
  expect(written.terminal).toContain('Verifying … 1 s')
  expect(written.terminal.endsWith('\r\u001b[2K')).toBe(true)
  expect(written.pipe).toBe('')
})
