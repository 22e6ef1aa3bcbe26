import { AreasPage } from '../options/areas-page.tsx'
import { OTHER_AREAS } from './areas.ts'

/** The settings of the platform's name, logo and texts. Each area is saved separately. */
export default function OtherSettings() {
  return <AreasPage areas={() => OTHER_AREAS} />
}
