import { createInterface, type Interface } from 'node:readline'
import type { Cli } from '../cli.ts'
import { afterColon, failureOf } from '../errors.ts'
import { sanitizeName } from '../output/sanitize.ts'
import { createCommands } from './commands.ts'
import { answerWriter, noteCost } from './display.ts'
import type { ChatSession } from './session.ts'

const PROMPT = '> '
const CONTINUATION_PROMPT = '… '

/**
 * Runs a chat on a terminal until the user exits. Prompts go to stderr, replies to stdout. Ctrl-C stops a reply. At the
 * prompt, the second Ctrl-C exits.
 */
export async function chatOn(cli: Cli, session: ChatSession): Promise<void> {
  const reader = createInterface({ input: cli.stdin, output: cli.stderr, terminal: true, historySize: 200 })
  const lines = createLineQueue(reader)
  let replyController: AbortController | undefined
  let isWarned = false
  const onInterrupt = () => {
    if (replyController && !replyController.signal.aborted) return replyController.abort()
    if (isWarned) return lines.close()
    isWarned = true
    cli.stderr.write('\n')
    cli.note(cli.t('chat.pressCtrlCAgainOrCtrl'))
    reader.prompt()
  }
  reader.on('SIGINT', onInterrupt)
  process.on('SIGINT', onInterrupt)

  async function answer(prompt: string): Promise<void> {
    replyController = new AbortController()
    const { signal } = replyController
    const writer = answerWriter(cli)
    try {
      const reply = await session.ask(prompt, { signal, onText: writer.write })
      writer.end()
      if (cli.stderr.isTTY) await noteCost(cli, session, reply)
    } catch (error) {
      writer.end()
      cli.note(
        signal.aborted
          ? cli.t('chat.stopped')
          : cli.t('general.error', { message: afterColon(failureOf(error, cli).message) }),
      )
    } finally {
      replyController = undefined
    }
  }

  const commands = createCommands(cli, session, { answer, exit: () => lines.close() })
  cli.note(cli.t('chat.chatWith', { model: sanitizeName(session.settings.model) }))
  try {
    for (;;) {
      const text = await nextText()
      if (text === undefined) return
      isWarned = false
      if (text.trim() === '') continue
      if (text.startsWith('/')) await commands.run(text)
      else await answer(text)
    }
  } finally {
    process.off('SIGINT', onInterrupt)
    reader.close()
  }

  /** Reads a message. A line that ends with a backslash continues on the next line. Returns undefined at the end. */
  async function nextText(): Promise<string | undefined> {
    const parts: string[] = []
    for (;;) {
      reader.setPrompt(parts.length === 0 ? PROMPT : CONTINUATION_PROMPT)
      const line = await lines.next(() => reader.prompt())
      reader.setPrompt('')
      if (line === undefined) return undefined
      if (!line.endsWith('\\')) return [...parts, line].join('\n')
      parts.push(line.slice(0, -1))
    }
  }
}

interface LineQueue {
  /** Returns the next line, or undefined at the end of the input. Calls `ask` if no line is queued. */
  next(ask: () => void): Promise<string | undefined>
  /** Closes the input. The queued lines are not returned, because the user exits. */
  close(): void
}

/** Queues lines that arrive between prompts, such as pasted lines. */
function createLineQueue(reader: Interface): LineQueue {
  const queuedLines: string[] = []
  let isClosed = false
  let hasExited = false
  let deliver: ((line: string | undefined) => void) | undefined
  reader.on('line', (line) => {
    if (deliver) deliver(line)
    else queuedLines.push(line)
  })
  reader.on('close', () => {
    isClosed = true
    deliver?.(undefined)
  })
  return {
    async next(ask) {
      const line = hasExited ? undefined : queuedLines.shift()
      if (line !== undefined || isClosed) return line
      ask()
      return new Promise((resolve) => {
        deliver = (next) => {
          deliver = undefined
          resolve(next)
        }
      })
    },
    close() {
      hasExited = true
      reader.close()
    },
  }
}
