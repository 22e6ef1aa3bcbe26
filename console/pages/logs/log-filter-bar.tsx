import Message from '@arco-design/web-react/es/Message'
import { useTranslation } from 'react-i18next'
import { FilterBar } from '../../components/filter-bar.tsx'
import type { FilterState } from '../../components/paging.ts'
import { parseWholeNumber } from '../../components/task-list/time-filter.ts'
import type { LogFilters } from './log-filters.ts'
import { RangeAndTypeFilters } from './range-and-type-filters.tsx'

interface Props {
  state: FilterState<LogFilters>
  /** True for administrators, who can also filter by user and channel. */
  allUsers: boolean
}

export function LogFilterBar({ state: { filters, setFilters, bar }, allUsers }: Props) {
  const { t } = useTranslation()

  function search(values: Record<string, string>) {
    const { channel = '' } = values
    if (channel !== '' && !parseWholeNumber(channel)) Message.error(t('task.badChannel'))
    else setFilters(values)
  }

  const adminFields = [
    { name: 'username', label: t('account.username') },
    { name: 'channel', label: t('task.channelId') },
  ]
  return (
    <FilterBar<string>
      fields={[
        { name: 'token_name', label: t('log.filter.token') },
        { name: 'model_name', label: t('log.filter.model') },
        { name: 'group', label: t('field.group') },
        ...(allUsers ? adminFields : []),
        { name: 'request_id', label: t('request.id') },
      ]}
      {...bar}
      onSearch={search}
    >
      <RangeAndTypeFilters filters={filters} onChange={setFilters} />
    </FilterBar>
  )
}
