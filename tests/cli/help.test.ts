import { describe, expect, test } from 'vitest'
import { Command } from '../../cli/command.ts'
import { helpPageOf } from '../../cli/help/page.ts'
import { PLAIN, renderPage } from '../../cli/help/terminal.ts'
import { nearest } from '../../cli/input/nearest.ts'
import { displayWidth, wrapped } from '../../cli/output/display-width.ts'
import { ENGLISH, loadTexts } from '../../cli/texts.ts'
import { type Chapter, readCommandLine } from './reference/command-line.ts'
import { createFolder, environmentIn, runHere } from './support.ts'

async function help(
  words: string[],
  { columns, ...more }: { columns?: number } & Record<string, string | number> = {},
) {
  const folder = await createFolder()
  const env = { ...environmentIn(folder), ...(more as Record<string, string>) }
  return (await runHere(words, { env, folder, ...(columns !== undefined && { columns }) })).stdout
}

const allChapters = ({ below, ...chapter }: Chapter): Chapter[] => [
  { ...chapter, below },
  ...below.flatMap(allChapters),
]

describe('help', () => {
  test('fits 80 columns in a pipe, and the width of a terminal; only lines to paste may be longer', async () => {
    for (const texts of [ENGLISH, await loadTexts('zh')]) {
      const lines = allChapters(await readCommandLine(texts)).flatMap(({ page }) =>
        renderPage(page, { width: undefined, paint: PLAIN, t: texts.t }).split('\n'),
      )
      expect(lines.filter((line) => displayWidth(line) > 80 && !/^ {2}.*\btollgate /.test(line))).toEqual([])
    }
    const narrow = (await help(['token', 'list', '--help'], { columns: 50, NO_COLOR: '1' })).split('\n')
    expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(50)
  })

  test('has color only on a terminal, and none if color is off', async () => {
    expect(await help(['token'])).not.toContain('\u001b')
    expect(await help(['token'], { columns: 80 })).toContain('\u001b[1mUsage:\u001b[22m')
    expect(await help(['token'], { columns: 80, NO_COLOR: '1' })).not.toContain('\u001b')
  })

  test('lists the options of every command once, on the page of the program', async () => {
    expect(await help([])).toContain('--profile <name>')
    const page = await help(['token', 'list', '--help'])
    expect(page).not.toContain('--profile')
    expect(page).toContain('options of every command: tollgate --help')
  })

  test('of every command has a description and an example', async () => {
    const mute = allChapters(await readCommandLine()).filter(
      ({ page }) => page.description === '' || page.examples.length === 0,
    )
    expect(mute.map(({ page }) => page.words)).toEqual([])
  })

  test('lists the choices of an option once, and has its default in one parenthesis', async () => {
    const items = allChapters(await readCommandLine()).flatMap(({ page }) =>
      page.sections.flatMap(({ items }) => items.map((item) => ({ ...item, words: page.words }))),
    )
    const textOf = (words: string, flag: string) =>
      items.find((item) => item.words === words && item.term.trim().startsWith(flag))?.text
    expect(items.filter(({ text }) => /\)\s*\(|\(one of|; default:/.test(text))).toEqual([])
    expect([
      textOf('tollgate channel add', '--store-responses'),
      textOf('tollgate channel list', '--order'),
      textOf('tollgate redemption export', '--format'),
      textOf('tollgate team update-key', '--status'),
      textOf('tollgate completion', '<shell>'),
    ]).toEqual([
      'allow storing responses (new channels: on)',
      'sort order, by highest priority or by newest ID: priority or id (default: priority)',
      'output format: txt, csv or json (default: by the extension of --output, else txt)',
      'new status: enabled or disabled (required)',
      'your shell: bash, zsh or fish',
    ])
    expect(await help(['redemption', 'export', '--help'], { LANG: 'zh_CN.UTF-8', COLUMNS: 200 })).toContain(
      '输出格式：txt、csv 或 json（默认：按 --output 的扩展名，否则 txt）',
    )
  })

  test('is Chinese with LANG and with --language, including column titles', async () => {
    const page = await help(['serve', '--help'], { LANG: 'zh_CN.UTF-8' })
    expect(page).toContain('用法： tollgate serve [选项]')
    expect(page).toContain('  --port <n>        监听端口（默认：3000）')
    expect(await help(['--language', 'zh', 'serve', '--help'])).toBe(page)
    expect(await help(['--language', 'en', 'serve', '--help'], { LANG: 'zh_CN.UTF-8' })).toContain('Usage:')
  })

  test('covers every command level', () => {
    const command = (name: string) => new Command(name, ENGLISH)
    const edit = command('edit')
      .argument('<tag>', 'channel.fullTag')
      .option('-w, --weight <n>', 'channel.weightAmongChannelsOfEqualPriority', '0')
      .helpGroup('program.manageTitle')
      .note('program.completesCommands')
      .example('tollgate channel tag edit spare')
    const tag = command('tag').description('channel.tagChannels').addCommand(edit)
    command('tollgate').addCommand(command('channel').addCommand(tag))
    const page = helpPageOf(edit)
    expect(page).toMatchObject({
      words: 'tollgate channel tag edit',
      usage: 'tollgate channel tag edit <tag> [options]',
    })
    expect(page.blocks).toEqual([
      { prose: ENGLISH.t('program.completesCommands') },
      { title: 'Examples:', lines: ['tollgate channel tag edit spare'] },
    ])
    expect(helpPageOf(tag).sections).toEqual([{ title: 'Manage:', items: [{ term: 'edit <tag>', text: '' }] }])
  })
})

describe('errors of the command line in Chinese', () => {
  test.each([
    [['tokne'], '未知命令“tokne”。您是否想用：tollgate token'],
    [['token', 'list', '--serach', 'x'], '未知选项“--serach”（您是否想用 --search？）'],
    [['token', 'list', '--limit', 'x'], '选项“--limit <n>”的值“x”无效。请给出 1 到 1000 之间的整数。'],
    [['token', 'get'], '缺少必需的参数“id”\n用法： tollgate token get <id> [选项]\n示例：tollgate token get 1'],
    [['completion', 'zhs'], '参数“shell”的值“zhs”无效。可选值：bash, zsh, fish。（您是否想用 zsh？）'],
    [['token', 'get', 'channel'], '参数“id”的值“channel”无效。请给出 1 到 2147483647 之间的整数。'],
  ])('%j', async (words, message) => {
    const folder = await createFolder()
    const env = { ...environmentIn(folder), LANG: 'zh_CN.UTF-8' }
    const { stderr, exitCode } = await runHere(words, { env, folder })
    expect({ stderr, exitCode }).toEqual({ stderr: `错误：${message}`, exitCode: 2 })
  })
})

test('lines wrap between words, and in Chinese after any character not followed by a comma', () => {
  expect(wrapped('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrapped('监听端口，默认', 8)).toEqual(['监听端', '口，默认'])
  expect(wrapped('a=1、b=2；c', 8)).toEqual(['a=1、', 'b=2；c'])
  expect(displayWidth('监听 a')).toBe(6)
})

test('the suggestion is a command one typing error away, or none', () => {
  expect(nearest('tokne', ['token', 'task'])).toBe('token')
  expect(nearest('lis', ['list', 'get'])).toBe('list')
  expect(nearest('frobnicate', ['list', 'get'])).toBeUndefined()
})

test('help has at most 80 columns on a wide terminal, or COLUMNS', async () => {
  const widest = async (options: object) => {
    const lines = (await help(['token', 'create', '--help'], { NO_COLOR: '1', ...options })).split('\n')
    return Math.max(...lines.filter((line) => !/^ {2}.*\btollgate /.test(line)).map((line) => line.length))
  }
  expect(await widest({ columns: 200 })).toBeLessThanOrEqual(80)
  expect(await widest({ columns: 200, COLUMNS: '120' })).toBeGreaterThan(80)
  expect(await widest({ COLUMNS: '50' })).toBeLessThanOrEqual(50)
})
