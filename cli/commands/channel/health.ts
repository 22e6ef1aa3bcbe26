import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function channelHealth(cli: Cli): Command {
  return new Command('health')
    .description('Show what is wrong with channels; with a number, one channel and its history')
    .argument('[id]', 'number of the channel', positiveInt)
    .addHelpText('after', '\nExamples:\n  tollgate channel health 1')
    .action(async (id: number | undefined) => {
      const [{ toolkit, actor }, { EVENT_COLUMNS, TROUBLE_COLUMNS, troublesOf }] = await Promise.all([
        cli.open(),
        import('../../columns/channel-health.ts'),
      ])
      if (id === undefined) {
        const health = await toolkit.channels.health(actor)
        if (cli.json) return cli.writeJson(health)
        return cli.print(troublesOf(health), { columns: TROUBLE_COLUMNS, empty: cli.say`All channels are well.` })
      }
      const health = await toolkit.channels.healthOf(actor, id)
      if (cli.json) return cli.writeJson(health)
      const disabled = health.disabled ? [health.disabled] : []
      const troubles = troublesOf({ circuits: health.circuits, disabled })
      await cli.print(troubles, { columns: TROUBLE_COLUMNS, empty: cli.say`Channel ${id} is well.` })
      if (troubles.length && health.events.length) cli.write('')
      await cli.print(health.events, { columns: EVENT_COLUMNS, empty: cli.say`Nothing has happened to it lately.` })
    })
}
