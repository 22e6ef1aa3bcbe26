import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createCli } from '../../../cli/cli.ts'
import type { OutputStream } from '../../../cli/io.ts'
import { createProgress } from '../../../cli/output/progress.ts'
import { ENGLISH } from '../../../cli/texts.ts'

function openTerminal() {
  const written: string[] = []
  const writable = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString())
      done()
    },
  })
  const stream: OutputStream = Object.assign(writable, { isTTY: true as const, columns: 80 })
  return { stream, text: () => written.join('') }
}

test.each([
  [undefined, 'Writing 12'],
  [24, 'Writing ████████████░░░░░░░░░░░░ 12/24 50%'],
  [0, 'Writing ████████████████████████ 12/0 100%'],
])('the progress of %s items has a percentage if the total is known', (total, line) => {
  const { stream, text } = openTerminal()
  createProgress(stream, { title: 'Writing', total }).at(12)
  expect(text()).toBe(`\r\u001b[2K${line}`)
})

test('a note during progress has its own line', () => {
  const { stream, text } = openTerminal()
  const cli = createCli({
    io: { stdin: process.stdin, stdout: stream, stderr: stream, env: {}, folder: '.' },
    texts: ENGLISH,
    flags: () => ({}),
  })
  const progress = cli.progress({ title: 'Writing', total: undefined })
  progress.at(1)
  cli.note('Wait.')
  progress.end()
  cli.note('Done.')
  expect(text()).toBe('\r\u001b[2KWriting 1\r\u001b[2KWait.\n\r\u001b[2KDone.\n')
})
