import { Option } from 'commander'
import type { OptionChange } from '../../../core/options/options.ts'
import type { Cli } from '../../cli.ts'
import { optionAreas, optionRows } from '../../columns/option.ts'
import { usageError } from '../../errors.ts'
import type { DocumentFormat, EditedOptions } from '../../options/document.ts'
import { plainVerb, YES } from '../../run/verbs.ts'

interface Options {
  format: DocumentFormat
  print?: true
  from?: string
  yes?: true
}

export const optionEdit = plainVerb({
  name: 'edit',
  description: 'Edit options in $VISUAL or $EDITOR; shows changes, and saves after confirmation',
  examples: ['tollgate option edit quota --print', 'tollgate option edit ModelRatio --format json --print'],
  syntax: (command) =>
    command
      .argument('[what]', 'area, such as quota, or option name (default: all options)')
      .addOption(new Option('--format <word>', 'file format').choices(['yaml', 'json']).default('yaml'))
      .option('--print', 'print the options, and change nothing')
      .option('--from <file>', 'read this file, or - for stdin, instead of opening an editor')
      .option(...YES),
  async run(cli, what: string | undefined, { format, print, from, yes }: Options) {
    if (print && from !== undefined) throw usageError(cli.say`pass either --print or --from, not both`)
    const { readOptionDocument, checked, writeDocument, DocumentError } = await import('../../options/document.ts')
    const { toolkit, actor } = await cli.open()
    const options = await chosen(cli, what, await toolkit.options.list(actor))
    const text = writeDocument(options, format, heading(cli))
    if (print) return cli.write(text.trimEnd())
    const edited = await editedText(cli, { text, format, from })
    let changes: OptionChange[]
    try {
      changes = edited.text === text ? [] : checked(readOptionDocument(edited.text, options, format))
      await apply(cli, changes, { yes, store: () => Promise.resolve(toolkit.options.change(actor, changes)) })
    } catch (error) {
      if (edited.file) cli.note(cli.say`Nothing was saved. Your text is in ${edited.file}`)
      throw error instanceof DocumentError ? usageError(cli.say`cannot read this: ${error.why(cli)}`) : error
    }
    await edited.discard()
    await reportChanges(cli, changes)
  },
})

const heading = (cli: Cli) => cli.say`Edit, save, and close. Removed lines and empty secrets stay unchanged.`

async function editedText(
  cli: Cli,
  { text, format, from }: { text: string; format: DocumentFormat; from: string | undefined },
): Promise<{ text: string; file?: string; discard(): Promise<void> }> {
  if (from === undefined) {
    const { editText } = await import('../../input/editor.ts')
    return editText(cli, { name: `options.${format}`, text })
  }
  const { readText } = await import('../../input/text-file.ts')
  return { text: from === '-' ? await cli.readInput() : await readText(cli, from), discard: async () => {} }
}

async function apply(
  cli: Cli,
  changes: readonly OptionChange[],
  { yes, store }: { yes: true | undefined; store: () => Promise<void> },
): Promise<void> {
  if (changes.length === 0) return
  const { changeLines } = await import('../../options/changes.ts')
  for (const line of changeLines(cli, changes)) cli.note(line)
  await cli.confirm(cli.say`Save ${changes.length} changed options?`, { yes })
  await store()
}

async function reportChanges(cli: Cli, changes: readonly OptionChange[]): Promise<void> {
  const { findOption } = await import('../../../core/options/registry.ts')
  if (changes.length === 0) return cli.report(cli.say`Nothing changed.`, [])
  cli.report(
    cli.say`Saved: ${changes.map(({ key }) => key).join(', ')}`,
    changes.map(({ key, value }) => (findOption(key)?.secret ? { key } : { key, value })),
  )
}

async function chosen(
  cli: Cli,
  what: string | undefined,
  values: readonly { key: string; value: string }[],
): Promise<EditedOptions> {
  const { OPTIONS } = await import('../../../core/options/registry.ts')
  const wanted = ({ key, area }: { key: string; area: string }) => what === undefined || key === what || area === what
  const rows = optionRows(values).filter(wanted)
  const secrets = Object.values(OPTIONS).filter((option) => option.secret && wanted(option))
  if (rows.length + secrets.length === 0) {
    throw usageError(cli.say`unknown option or area ${what}; the areas are ${optionAreas().join(', ')}`)
  }
  return { rows, secrets: secrets.map(({ key, description }) => ({ key, description: `${description} (secret)` })) }
}
