import { Option } from 'commander'
import { ROLE } from '../../core/actor.ts'
import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'
import { EXIT } from '../errors.ts'
import type { ContentName, GatewayStatus } from '../gateway-info.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column } from '../output/column.ts'
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

const STATUS_COLUMNS: readonly Column<GatewayStatus>[] = [
  { name: 'gateway', value: ({ name }) => name || '-' },
  { name: 'address', value: ({ address }) => address },
  { name: 'version', value: ({ version }) => version },
  { name: 'running-since', value: ({ start_time }, { moment }) => moment(start_time) },
  {
    name: 'database',
    value: ({ database }, { label }) => label(database),
    tone: ({ database }) =>
      ({ answers: 'good', silent: 'bad', unknown: 'faint' })[database] as 'good' | 'bad' | 'faint',
  },
  {
    name: 'you-are',
    value: ({ user }, { label }) => `${user.username} (${user.id}), ${label(labelOf(ROLE, user.role))}`,
  },
]
