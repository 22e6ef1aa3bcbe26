import { usageError } from '../../errors.ts'
import { positiveInt } from '../../input/arguments.ts'
import { plainVerb } from '../../run/verbs.ts'
import { eventsOf, settingsOf, type TargetFlags, withTargetFlags } from './target-flags.ts'

type Flags = TargetFlags & { name?: string; enable?: true; disable?: true }

export const notifyUpdate = plainVerb({
  name: 'update',
  description: 'Change a target of notices; what is not given stays',
  example: 'tollgate notify update 1 --events payment.completed --language zh',
  syntax: (command) =>
    withTargetFlags(
      command
        .argument('<id>', 'number of the target', positiveInt)
        .option('--name <name>', 'what you recognize it by, up to 64 characters')
        .option('--enable', 'deliver to it')
        .option('--disable', 'deliver nothing to it'),
    ),
  async run(cli, id: number, flags: Flags) {
    const { name, language, enable, disable } = flags
    if (enable && disable) throw usageError(cli.say`give either --enable or --disable, not both`)
    const settings = await settingsOf(cli, flags)
    const events = eventsOf(flags)
    const changes = {
      ...(name !== undefined && { name }),
      ...(Object.keys(settings).length > 0 && { settings }),
      ...(events !== undefined && { events }),
      ...(language !== undefined && { language }),
      ...((enable || disable) && { enabled: enable === true }),
    }
    if (Object.keys(changes).length === 0) throw usageError(cli.say`give what to change, such as --events`)
    const { toolkit, actor } = await cli.open()
    cli.report(cli.say`Target ${id} is changed.`, await toolkit.notices.update(actor, id, changes))
  },
})
