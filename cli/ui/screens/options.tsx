import { useCallback, useState } from 'react'
import { findOption, OPTIONS } from '../../../core/options/registry.ts'
import { OPTION_COLUMNS, type OptionRow, optionAreas, optionRows } from '../../columns/option.ts'
import { cutTo } from '../../output/display-width.ts'
import { pageOf } from '../../output/listing.ts'
import { bindKey, type KeyBinding } from '../bindings.ts'
import { type FieldValues, type FormField, yesNo } from '../fields.ts'
import { Form } from '../form.tsx'
import { useUnchanged } from '../forms/unchanged.ts'
import { type ListControl, type ListQuery, ListScreen, type RowControl } from '../list-screen.tsx'
import { useUi } from '../ui-context.ts'

const ALL = Object.values(OPTIONS)
/** Text in place of a secret, because secrets can only be written. */
const HIDDEN = '********'

/** Screen with the runtime options of one area or all areas. */
export function OptionsScreen() {
  const { toolkit, actor, t } = useUi()
  const [area, setArea] = useState<string>()
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) => {
      const stored = new Map((await toolkit.options.list(actor)).map(({ key, value }) => [key, value]))
      const values = ALL.map(({ key, secret, default: defaultValue }) => ({
        key,
        value: secret ? HIDDEN : (stored.get(key) ?? defaultValue),
      }))
      const word = keyword.toLowerCase()
      const rows = optionRows(values)
        .filter((row) => area === undefined || row.area === area)
        .map((row) => ({ row, rank: rankOf(row, word) }))
        .filter(({ rank }) => rank >= 0)
        .sort((a, b) => a.rank - b.rank)
        .map(({ row }) => row)
      return pageOf(rows, paging)
    },
    [toolkit, actor, area],
  )
  /** Selects the next or previous area. The choice "all areas" follows the last area. */
  const moveArea = (by: number) => {
    const areaChoices = [undefined, ...optionAreas()]
    setArea(areaChoices[(areaChoices.indexOf(area) + by + areaChoices.length) % areaChoices.length])
  }

  function bindings(option: OptionRow | undefined, list: RowControl<OptionRow>): KeyBinding[] {
    const edit = () => option && list.show(<OptionForm row={option} list={list} />)
    return [
      { keys: ['enter', 'e'], shown: 'Enter', label: t('ui.edit'), run: edit },
      { keys: [']', 'right'], shown: '→', label: t('ui.nextArea'), run: () => moveArea(1) },
      { keys: ['[', 'left'], shown: '←', label: t('ui.previousArea'), run: () => moveArea(-1) },
      ...(option ? [bindKey('y', t('ui.copyKey'), () => list.copy(option.key, option.key), { quiet: true })] : []),
    ]
  }

  return (
    <ListScreen
      title={t('ui.options')}
      columns={OPTION_COLUMNS}
      load={load}
      keyOf={({ key }) => key}
      empty={t('ui.noMatchingOptions')}
      searched={t('ui.partOfAKeyOrDescription')}
      note={area === undefined ? t('ui.allAreas') : area}
      onClear={() => setArea(undefined)}
      bindings={bindings}
    />
  )
}

/**
 * Returns the rank of an option in a search, or -1 without a match. Matches of the name precede matches of the
 * description.
 */
function rankOf({ key, description }: OptionRow, word: string): number {
  const name = key.toLowerCase()
  return [name === word, name.startsWith(word), name.includes(word), description.toLowerCase().includes(word)].indexOf(
    true,
  )
}

const HINT_MAX = 40

/** Form that edits one option. Core validates the value. */
function OptionForm({ row, list }: { row: OptionRow; list: ListControl }) {
  const { toolkit, actor, t, notify } = useUi()
  const { key, value, type, description } = row
  const secret = findOption(key)?.secret === true
  const checkUnchanged = useUnchanged(value)
  const defaultText = cutTo(row.default || t('ui.emptyValue'), HINT_MAX)
  const field: FormField =
    type === 'boolean'
      ? yesNo({ name: 'value', label: key, initial: value === 'true', t })
      : {
          kind: secret ? 'secret' : 'text',
          name: 'value',
          lines: true,
          label: key,
          initial: secret ? '' : value,
          hint: secret ? t('ui.neverShown') : t('ui.default', { value: defaultText }),
        }

  async function submit(values: FieldValues): Promise<void> {
    if (!secret) checkUnchanged(await toolkit.options.read(actor, key))
    await toolkit.options.set(actor, key, values.value ?? '')
    notify(t('ui.saved', { key }), 'good')
    list.close()
    list.reload()
  }
  return <Form title={description} existing fields={[field]} submit={submit} onClose={list.close} />
}
