import type { OptionChange } from '../../../core/options/options.ts'
import { findOption, OPTIONS } from '../../../core/options/registry.ts'
import type { Cli } from '../../cli.ts'
import { optionAreas, optionRows } from '../../columns/option.ts'
import { usageError } from '../../errors.ts'
import { readText } from '../../input/text-file.ts'
import { changeLines } from '../../options/changes.ts'
import type { DocumentFormat, EditedOptions } from '../../options/document.ts'
import { isOutcomeUnknown } from '../../run/retry.ts'
import { plainVerb, YES } from '../../run/verbs.ts'

interface Options {
  format: DocumentFormat
  print?: true
  from?: string
  yes?: true
}

export const optionEdit = plainVerb({
  name: 'edit',
  description: 'option.editOptionsInVisualOrEditor',
  examples: ['tollgate option edit quota --print', 'tollgate option edit ModelRatio --format json --print'],
  syntax: (command) =>
    command
      .argument('[what]', 'option.areaSuchAsQuota')
      .choice('--format <word>', 'channel.fileFormat', ['yaml', 'json'], 'yaml')
      .option('--print', 'option.printTheOptions')
      .option('--from <file>', 'option.readThisFile')
      .option(...YES),
  async run(cli, what: string | undefined, { format, print, from, yes }: Options) {
    if (print && from !== undefined) throw usageError(cli.t('option.passEitherPrint'))
    const { readOptionDocument, checkOptionChanges, writeDocument, DocumentError } = await import(
      '../../options/document.ts'
    )
    const { toolkit, actor } = await cli.open()
    const options = selectOptions(cli, what, await toolkit.options.list(actor))
    const text = writeDocument(options, format, heading(cli))
    if (print) return cli.write(text.trimEnd())
    const edited = await editedText(cli, { text, format, from })
    let changes: OptionChange[]
    try {
      changes = edited.text === text ? [] : checkOptionChanges(readOptionDocument(edited.text, options, format))
      await apply(cli, changes, { yes, store: () => Promise.resolve(toolkit.options.change(actor, changes)) })
    } catch (error) {
      const { file } = edited
      if (file) cli.note(cli.t(isOutcomeUnknown(error) ? 'option.maybeSaved' : 'option.nothingWasSaved', { file }))
      throw error instanceof DocumentError ? usageError(cli.t('option.cannotReadThis', { why: error.why(cli) })) : error
    }
    await edited.discard()
    reportChanges(cli, changes)
  },
})

const heading = (cli: Cli) => cli.t('option.editSaveAndCloseRemoved')

async function editedText(
  cli: Cli,
  { text, format, from }: { text: string; format: DocumentFormat; from: string | undefined },
): Promise<{ text: string; file?: string; discard(): Promise<void> }> {
  if (from === undefined) {
    const { editText } = await import('../../input/editor.ts')
    return editText(cli, { name: `options.${format}`, text })
  }
  return { text: from === '-' ? await cli.readInput() : await readText(cli, from), discard: async () => {} }
}

async function apply(
  cli: Cli,
  changes: readonly OptionChange[],
  { yes, store }: { yes: true | undefined; store: () => Promise<void> },
): Promise<void> {
  if (changes.length === 0) return
  for (const line of changeLines(cli, changes)) cli.note(line)
  await cli.confirm(cli.t('option.saveChangedOptions', { count: changes.length }), { yes })
  await store()
}

function reportChanges(cli: Cli, changes: readonly OptionChange[]): void {
  const message =
    changes.length === 0
      ? cli.t('option.nothingIsChanged')
      : cli.t('option.saved', { changes: changes.map(({ key }) => key).join(', ') })
  cli.report(
    message,
    changes.map(({ key, value }) => (findOption(key)?.secret ? { key } : { key, value })),
  )
}

/** Returns the option or the options of the area `what`; without `what`, all options. Throws a usage error. */
function selectOptions(
  cli: Cli,
  what: string | undefined,
  values: readonly { key: string; value: string }[],
): EditedOptions {
  const isSelected = ({ key, area }: { key: string; area: string }) =>
    what === undefined || key === what || area === what
  const rows = optionRows(values).filter(isSelected)
  const secrets = Object.values(OPTIONS).filter((option) => option.secret && isSelected(option))
  if (rows.length + secrets.length === 0) {
    throw usageError(cli.t('option.unknownOptionOrArea', { name: what, areas: optionAreas().join(', ') }))
  }
  return { rows, secrets: secrets.map(({ key, description }) => ({ key, description: `${description} (secret)` })) }
}
