import { writeFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { errorMessage } from '../../core/error-parts.ts'
import type { Cli } from '../cli.ts'
import { sanitizeName } from '../output/sanitize.ts'
import type { ChatSession } from './session.ts'

/** Creates the slash commands of a chat. */
export function createCommands(
  cli: Cli,
  session: ChatSession,
  { answer, exit }: { answer: (prompt: string) => Promise<void>; exit: () => void },
): { run(line: string): Promise<void> } {
  async function model(name: string): Promise<void> {
    if (name !== '') session.settings.model = name
    cli.note(cli.t('chat.theModelIs', { model: session.settings.model }))
    if (name === '') cli.note(cli.t('chat.availableModels', { models: (await session.models()).join(', ') }))
  }

  function system(text: string): void {
    session.system = text
    cli.note(text === '' ? cli.t('chat.removedTheSystemPrompt') : cli.t('chat.systemPromptIs', { text }))
  }

  function clear(): void {
    session.messages.length = 0
    cli.note(cli.t('chat.clearedTheConversation'))
  }

  async function save(path: string): Promise<void> {
    if (path === '') return cli.note(cli.t('chat.enterAFileName'))
    const { system, messages } = session
    const allMessages = system === '' ? messages : [{ role: 'system', content: system }, ...messages]
    const text =
      extname(path) === '.json'
        ? JSON.stringify(allMessages, null, 2)
        : allMessages.map(({ role, content }) => `## ${role}\n\n${content}\n`).join('\n')
    // `wx` never overwrites a file. Only the owner can read the new file.
    await writeFile(resolve(cli.folder, path), `${text.trimEnd()}\n`, { flag: 'wx', mode: 0o600 })
    cli.note(cli.t('chat.wroteMessagesTo', { count: allMessages.length, path }))
  }

  /** Sends the last question again. If the request fails, the messages stay unchanged. */
  async function retry(): Promise<void> {
    const index = session.messages.findLastIndex(({ role }) => role === 'user')
    const question = session.messages[index]
    if (!question) return cli.note(cli.t('chat.noQuestionsYet'))
    const removedMessages = session.messages.splice(index)
    const remainingCount = session.messages.length
    await answer(question.content)
    if (session.messages.length === remainingCount) session.messages.push(...removedMessages)
  }

  const commands: Record<string, (rest: string) => unknown> = {
    '/model': model,
    '/system': system,
    '/clear': clear,
    '/save': save,
    '/retry': retry,
    '/quit': exit,
    '/exit': exit,
    '/help': () => cli.note(cli.t('chat.modelNameSystemTextClearRetry')),
  }
  return {
    async run(line) {
      const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(line) ?? []
      const command = Object.hasOwn(commands, name) ? commands[name] : undefined
      if (!command) return cli.note(cli.t('chat.unknownCommand', { name: sanitizeName(name) }))
      try {
        await command(rest.trim())
      } catch (error) {
        cli.note(cli.t('general.error', { message: errorMessage(error) }))
      }
    },
  }
}
