import { positiveInt } from '../../input/arguments.ts'
import { verb } from '../../run/verbs.ts'

export const channelHealth = verb({
  name: 'health',
  description: 'Show what is wrong with channels; with a number, one channel and its history',
  examples: ['tollgate channel health 1'],
  syntax: (command) => command.argument('[id]', 'number of the channel', positiveInt),
  async run({ cli, toolkit, actor }, id: number | undefined) {
    const { EVENT_COLUMNS, TROUBLE_COLUMNS, troublesOf } = await import('../../columns/channel-health.ts')
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
  },
})
