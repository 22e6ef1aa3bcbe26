import { AreasPage } from '../options/areas-page.tsx'
import { SYSTEM_AREAS } from './areas.ts'

/** Where the platform is reached, how people sign in and pay, and how mails are sent. */
export default function SystemSettings() {
  return <AreasPage areas={() => SYSTEM_AREAS} />
}
