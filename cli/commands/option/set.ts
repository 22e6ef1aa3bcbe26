import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { plainVerb } from '../../run/verbs.ts'

export const optionSet = plainVerb({
  name: 'set',
  description: 'Change an option; a running gateway takes it over within a second',
  examples: ['tollgate option set RetryTimes 2', 'tollgate option set Notice Hello'],
  syntax: (command) =>
    command
      .argument('<key>', 'name of the option, such as RetryTimes')
      .argument('[value]', 'new value; - reads it from stdin, for long texts; a secret that is left out is asked for')
      .option('--file <path>', 'read the value from this file'),
  async run(cli, key: string, given: string | undefined, { file }: { file?: string }) {
    if (given !== undefined && file !== undefined) throw usageError(cli.say`give either a value or --file, not both`)
    const [{ findOption }, { sameValue }, { shortened }] = await Promise.all([
      import('../../../core/options/registry.ts'),
      import('../../columns/option.ts'),
      import('../../options/changes.ts'),
    ])
    const option = findOption(key)
    const value = await givenValue(cli, { key, given, file, secret: option?.secret === true })
    const { toolkit, actor } = await cli.open()
    if (!option || option.secret) {
      await toolkit.options.set(actor, key, value)
      return cli.report(cli.say`${key} is set.`, { key })
    }
    const before = await toolkit.options.read(actor, key)
    option.checkEffect?.(value)
    const wanted = option.check(value)
    if (sameValue(option.type, before, wanted)) {
      return cli.report(cli.say`${key} is ${shortened(before)} already: nothing changed.`, { key, value: before })
    }
    await toolkit.options.set(actor, key, value)
    const stored = (await cli.readBack(() => toolkit.options.read(actor, key))) ?? wanted
    cli.report(cli.say`${key} is now ${shortened(stored)}`, { key, value: stored })
  },
})

async function givenValue(
  cli: Cli,
  { key, given, file, secret }: { key: string; given: string | undefined; file: string | undefined; secret: boolean },
): Promise<string> {
  if (file !== undefined) {
    const { readText } = await import('../../input/text-file.ts')
    return (await readText(cli, file)).replace(/\r?\n$/, '')
  }
  if (given === '-') return cli.readInput()
  if (given !== undefined) return given
  if (!secret || !cli.interactive)
    throw usageError(cli.say`give a value for ${key}: as an argument, with --file, or - for stdin`)
  return (await cli.prompts()).password({ message: key, mask: true })
}
