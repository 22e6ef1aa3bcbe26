import { useCallback } from 'react'
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import { CHANNEL_COLUMNS } from '../../columns/channel.ts'
import type { KeyBinding } from '../bindings.ts'
import { ChannelSheet } from '../channel-sheet.tsx'
import { ofChannel, useDrill } from '../drill.tsx'
import { ChannelForm } from '../forms/channel.tsx'
import { type ListQuery, ListScreen, type RowControl } from '../list-screen.tsx'
import { useUi } from '../ui-context.ts'

/** Upstream accounts, by priority. */
export function ChannelsScreen() {
  const { toolkit, actor, text, intervals } = useUi()
  const bindings = useChannelBindings()
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) =>
      toolkit.channels.list(actor, { ...paging, ...(keyword && { keyword }) }),
    [toolkit, actor],
  )
  return (
    <ListScreen
      title={text('Channels')}
      columns={CHANNEL_COLUMNS}
      load={load}
      keyOf={({ id }) => id}
      empty={text('No channels yet. Press a to add one.')}
      searched={text('Part of a name, or an id')}
      everyMs={intervals.slow}
      markable
      bindings={bindings}
    />
  )
}

/** Keys for the cursor's channel or the marked ones. */
function useChannelBindings() {
  const { say, text } = useUi()
  const drill = useDrill()
  const one = useOneChannel()
  const several = useSeveralChannels()

  return (channel: Channel | undefined, list: RowControl<Channel>): KeyBinding[] => {
    const add = { keys: ['a'], shown: 'a', label: text('add'), run: () => list.show(<ChannelForm list={list} />) }
    if (!channel) return [add]
    const { id, name } = channel
    const open = () => {
      const back = () =>
        list.show(
          <ChannelSheet channel={channel} bindings={drill(ofChannel(channel), list, back)} onClose={list.close} />,
        )
      back()
    }
    return [
      { keys: ['enter'], shown: 'Enter', label: text('open'), run: open },
      ...drill(ofChannel(channel), list),
      ...several(list),
      ...one(channel, list),
      add,
      {
        keys: ['e'],
        shown: 'e',
        label: text('edit'),
        run: () => list.show(<ChannelForm list={list} channel={channel} />),
      },
      {
        keys: ['y'],
        shown: 'y',
        label: text('copy id'),
        run: () => list.copy(say`the id of channel ${name}`, String(id)),
        quiet: true,
      },
    ]
  }
}

function useOneChannel() {
  const { toolkit, actor, say, text } = useUi()
  return ({ id, name }: Channel, list: RowControl<Channel>): KeyBinding[] => [
    {
      keys: ['t'],
      shown: 't',
      label: text('test'),
      run: () =>
        list.run(say`Testing channel ${name} …`, async () => {
          const { success, message, time, model } = await toolkit.channelChecks.test(actor, id)
          if (!success) return { text: say`Channel ${name} failed: ${message}`, tone: 'bad' }
          return say`Channel ${name} answered with ${model} in ${time.toFixed(2)} s.`
        }),
    },
    {
      keys: ['b'],
      shown: 'b',
      label: text('query the balance'),
      run: () =>
        list.run(say`Querying the balance of channel ${name} …`, async () => {
          const balance = await toolkit.channelChecks.updateBalance(actor, id)
          return say`Balance of channel ${name}: ${balance}`
        }),
      quiet: true,
    },
  ]
}

function useSeveralChannels() {
  const { toolkit, actor, say, text, confirm } = useUi()
  return (list: RowControl<Channel>): KeyBinding[] => {
    const { chosen, several } = list
    const name = chosen[0]?.name ?? ''
    const disables = chosen.some(({ status }) => status === CHANNEL_STATUS.enabled)
    const status = disables ? CHANNEL_STATUS.disabled : CHANNEL_STATUS.enabled
    const setStatus = () =>
      list.each({
        doing: several ? say`Updating ${chosen.length} channels …` : say`Updating channel ${name} …`,
        one: async ({ id }) => toolkit.channels.setStatus(actor, id, status),
        done: (count) =>
          several
            ? disables
              ? say`Disabled ${count} channels.`
              : say`Enabled ${count} channels.`
            : disables
              ? say`Disabled channel ${name}.`
              : say`Enabled channel ${name}.`,
      })
    const remove = () =>
      list.each({
        doing: several ? say`Deleting ${chosen.length} channels …` : say`Deleting channel ${name} …`,
        one: async ({ id }) => toolkit.channels.delete(actor, id),
        done: (count) => (several ? say`Deleted ${count} channels.` : say`Deleted channel ${name}.`),
      })
    const setTag = (tag: string) =>
      list.each({
        doing: say`Tagging ${chosen.length} channels …`,
        one: async ({ id }) => toolkit.channels.tagChannels(actor, [id], tag || null),
        done: (count) =>
          tag ? say`Channels tagged with ${tag}: ${count}` : say`Removed the tags of ${count} channels.`,
      })
    return [
      { keys: [' '], shown: 'Space', label: disables ? text('disable') : text('enable'), run: setStatus },
      {
        keys: ['T'],
        shown: 'T',
        label: text('tag'),
        run: () => list.prompt({ label: text('Tag (empty: none)'), initial: chosen[0]?.tag ?? '', onEnter: setTag }),
      },
      {
        keys: ['d'],
        shown: 'd',
        label: text('delete'),
        run: () =>
          confirm(
            several
              ? say`Permanently delete ${chosen.length} channels and their keys?`
              : say`Permanently delete channel ${name} and its key?`,
            remove,
          ),
      },
    ]
  }
}
