import { Readable, Writable } from 'node:stream'
import { vi } from 'vitest'
import { run } from '../../cli/main.ts'
import type { CommandWorld, Outcome } from './support.ts'

/**
 * Runs a command that ends by Ctrl-C alone, or by another signal that asks for the end, in this process. The signal reaches only
 * this command: `process.emit` would also reach the handlers of the test runner, which end the process.
 */
export function interrupted(
  { env, folder }: Pick<CommandWorld, 'env' | 'folder'>,
  words: readonly string[],
  { signal = 'SIGINT', input = '' }: { signal?: 'SIGINT' | 'SIGTERM' | 'SIGHUP'; input?: string } = {},
) {
  const [out, err] = [collector(), collector()]
  const before = new Set(process.listeners(signal))
  const ended = run(words, {
    stdin: Readable.from(input === '' ? [] : [input]),
    stdout: out.stream,
    stderr: err.stream,
    env,
    folder,
  })
  return {
    /** Waits for what it prints. */
    until: (seen: (stdout: string, stderr: string) => boolean) =>
      vi.waitUntil(() => seen(out.text(), err.text()), { timeout: 20_000, interval: 20 }),
    /** As Ctrl-C does, for this command alone. */
    async interrupt(): Promise<Outcome> {
      for (const listener of process.listeners(signal)) if (!before.has(listener)) listener(signal)
      const exitCode = await ended
      return { stdout: out.text().trimEnd(), stderr: err.text().trimEnd(), exitCode }
    },
  }
}

function collector() {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString('utf8')
      done()
    },
  })
  return { stream, text: () => text }
}
