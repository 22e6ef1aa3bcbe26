import { LogList } from '../log-list.tsx'
import { useUi } from '../ui-context.ts'

export function LogsScreen() {
  const { text, start } = useUi()
  return <LogList title={text('Logs')} filter={start.filter ?? {}} />
}
