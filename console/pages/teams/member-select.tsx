import Select from '@arco-design/web-react/es/Select'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listMembers } from '../../api/teams.ts'

interface Props {
  /** The team's id. */
  id: number
  /** The user id of the selected member; empty for all members. */
  value: string
  onChange: (member: string) => void
}

export function MemberSelect({ id, value, onChange }: Props) {
  const { t } = useTranslation()
  const members = useQuery({ queryKey: ['team', 'members', id], queryFn: ({ signal }) => listMembers(id, signal) })
  return (
    <Select
      className="dashboard-grouping"
      value={value}
      showSearch
      aria-label={t('team.member')}
      onChange={onChange}
      options={[
        { value: '', label: t('team.allMembers') },
        ...(members.data ?? []).map(({ user_id, username }) => ({ value: String(user_id), label: username })),
      ]}
    />
  )
}
