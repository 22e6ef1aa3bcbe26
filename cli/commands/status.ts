import { Option } from 'commander'
import type { Cli } from '../cli.ts'
import { STATUS_COLUMNS } from '../columns/status.ts'
import { Command } from '../command.ts'
import { EXIT } from '../errors.ts'
import type { ContentName } from '../gateway-info.ts'
import { sanitizeName } from '../output/sanitize.ts'

interface Options {
  notice?: true
  about?: true
  home?: true
}

export function status(cli: Cli): Command {
  return new Command('status', cli)
    .addOption(new Option('--notice', cli.t('watching.printTheAnnouncementInstead')).conflicts(['about', 'home']))
    .addOption(new Option('--about', cli.t('watching.printTheAboutPageInstead')).conflicts(['notice', 'home']))
    .addOption(new Option('--home', cli.t('watching.printTheContentOfTheHome')).conflicts(['notice', 'about']))
    .example('tollgate status', 'tollgate status --notice')
    .action(async (options: Options) => {
      const [contentName] = Object.keys(options) as ContentName[]
      if (contentName) return printContent(cli, contentName)
      const { toolkit, actor } = await cli.open()
      const state = await toolkit.gateway.status(actor)
      if (state.database === 'silent') cli.exitCode = EXIT.failed
      await cli.show(state, { columns: STATUS_COLUMNS })
    })
}

async function printContent(cli: Cli, name: ContentName): Promise<void> {
  const { toolkit } = await cli.open()
  const content = await toolkit.gateway.content(name)
  if (cli.json) return cli.writeJson({ [name]: content })
  if (content === '') return cli.note(cli.t('watching.noContentYet'))
  for (const line of content.split('\n')) cli.write(sanitizeName(line))
}
