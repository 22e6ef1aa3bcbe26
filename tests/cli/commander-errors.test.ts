import { Command as BaseCommand } from 'commander'
import { describe, expect, test } from 'vitest'
import { Command } from '../../cli/command.ts'
import { createFolder, environmentIn, runHere } from './support.ts'

const CASES = [
  {
    words: ['token', 'get'],
    en: "missing required argument 'id'",
    zh: '缺少必需的参数“id”',
  },
  {
    words: ['token', 'list', '--limit'],
    en: "missing value of option '--limit <n>'",
    zh: '选项“--limit <n>”缺少值',
  },
  {
    words: ['api-key', 'create', 'nightly'],
    en: 'pass --scope <list>',
    zh: '请给出 --scope <list>',
  },
  {
    words: ['status', '--notice', '--about'],
    en: "option '--notice' cannot be used with option '--about'",
    zh: '选项“--notice”不能与选项“--about”同时使用',
  },
  {
    words: ['token', 'list', 'x'],
    en: "too many arguments for 'list'. Expected 0 arguments but got 1.",
    zh: '“list”的参数过多：应为 0 个，实为 1 个。',
  },
  {
    words: ['token', 'get', '1', '2'],
    en: "too many arguments for 'get'. Expected 1 argument but got 2.",
    zh: '“get”的参数过多：应为 1 个，实为 2 个。',
  },
  {
    words: ['token', 'list', '--limit', 'x'],
    en: "invalid value 'x' of option '--limit <n>'. Expected a whole number from 1 to 1000.",
    zh: '选项“--limit <n>”的值“x”无效。请给出 1 到 1000 之间的整数。',
  },
  {
    words: ['token', 'get', 'x'],
    en: "invalid value 'x' of argument 'id'. Expected a whole number from 1 to 2147483647.",
    zh: '参数“id”的值“x”无效。请给出 1 到 2147483647 之间的整数。',
  },
  {
    words: ['task', 'list', '--kind', 'musik'],
    en: "invalid value 'musik' of option '--kind <kind>'. Allowed choices are drawing, music. (Did you mean music?)",
    zh: '选项“--kind <kind>”的值“musik”无效。可选值：drawing, music。（您是否想用 music？）',
  },
  {
    words: ['token', 'create', 'x', '--expires', 'soon'],
    en: "invalid value 'soon' of option '--expires <when>'. Expected never, a duration such as 30m, 12h, 7d or 1y, or a date such as 2026-01-31 or 2026-01-31T18:00.",
    zh: '选项“--expires <when>”的值“soon”无效。请给出 never、时长（如 30m、12h、7d、1y）或日期（如 2026-01-31、2026-01-31T18:00）。',
  },
]

async function errorOf(words: readonly string[], language: string): Promise<string> {
  const folder = await createFolder()
  const { stderr, exitCode } = await runHere(['--language', language, ...words], { folder, env: environmentIn(folder) })
  expect(exitCode).toBe(2)
  return stderr.split('\n')[0] ?? ''
}

describe("Commander's errors", () => {
  test.each(CASES)('$words are in both languages', async ({ words, en, zh }) => {
    expect(await errorOf(words, 'en')).toBe(`error: ${en}`)
    expect(await errorOf(words, 'zh')).toBe(`错误：${zh}`)
  })

  test.each([
    ['--serach', '--search'],
    ['--url', '--base-url'],
    ['--apikey', '--key'],
    ['--json=yes', '--json'],
    ['--no-json', '--json'],
    ['-m', '--models'],
  ])('%s is unknown, and %s is suggested', async (flag, suggestion) => {
    const noun = flag === '--serach' ? ['token', 'list'] : ['channel', 'add']
    expect(await errorOf([...noun, flag], 'en')).toMatch(new RegExp(`\\(Did you mean ${suggestion}\\?\\)$`))
  })

  test('nothing is suggested for an option that resembles none', async () => {
    expect(await errorOf(['token', 'list', '--bla'], 'en')).toBe("error: unknown option '--bla'")
  })

  test('come from methods that this version of Commander has, and calls', () => {
    const own = Object.getOwnPropertyNames(Command.prototype)
    // Its types omit these methods: an update can rename them.
    const omitted = own.filter((name) => /^_|^(missing|option|unknown).+/.test(name))
    expect(omitted).toHaveLength(7)
    expect(omitted.filter((name) => !Object.hasOwn(BaseCommand.prototype, name))).toEqual([])
  })
})
