import { PassThrough, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { vi } from 'vitest'
import { run } from '../../cli/main.ts'
import type { CommandWorld, Outcome } from './support.ts'

/** Runs a command on a terminal, in this process. Types the keys after each prompt, when this part of it is printed. */
export async function typing(
  { env, folder }: Pick<CommandWorld, 'env' | 'folder'>,
  words: readonly string[],
  answers: readonly (readonly [prompt: string, keys: string])[],
): Promise<Outcome> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const [out, err] = [terminal(), terminal()]
  const ended = run(words, { stdin, stdout: out.stream, stderr: err.stream, env, folder })
  for (const [prompt, keys] of answers) {
    await vi.waitUntil(() => err.text().includes(prompt), { timeout: 20_000, interval: 20 })
    stdin.write(keys)
  }
  const exitCode = await ended
  return { stdout: out.text(), stderr: err.text(), exitCode }
}

function terminal() {
  let text = ''
  const writable = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString('utf8')
      done()
    },
  })
  // Like the streams of a process, the terminal stays open after a prompt ends the stream that it piped here.
  const end = () => writable
  const stream = Object.assign(writable, { isTTY: true as const, columns: 200, end })
  return { stream, text: () => stripVTControlCharacters(text).trimEnd() }
}
