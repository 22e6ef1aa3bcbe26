import { LogList } from '../log-list.tsx'
import { useUi } from '../ui-context.ts'

export function LogsScreen() {
  const { t, start } = useUi()
  return <LogList title={t('ui.logs')} filter={start.filter ?? {}} member={undefined} />
}
