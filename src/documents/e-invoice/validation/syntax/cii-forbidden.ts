// cspell:disable
/** Elements and attributes of CII that EN 16931 forbids, with the numbers of their rules; see `unused.ts`. */
export const CII_FORBIDDEN = `
.: 013 @languageID, 014 @languageLocaleID
//*ID: 101 @schemeName, 102 @schemeAgencyName, 103 @schemeDataURI, 104 @schemeURI
//TypeCode: 008 @name, 009 @listURI
//*ReferencedDocument: 016 StatusCode, 017 CopyIndicator, 019 GlobalID, 020 RevisionID, 023 Information,
  025 SectionName, 026 PreviousRevisionID, 028 EffectiveSpecifiedPeriod, 029 IssuerTradeParty,
  030 AttachedSpecifiedBinaryFile
//*Amount: 031 @currencyID, 032 @currencyCodeListVersionID
//*Quantity: 034 @unitCodeListID, 035 @unitCodeListAgencyID, 036 @unitCodeListAgencyName
//BillingSpecifiedPeriod/StartDateTime: 068 DateTime
//BillingSpecifiedPeriod: 069 DurationMeasure, 070 InclusiveIndicator, 071 Description, 073 CompleteDateTime,
  074 OpenIndicator, 075 SeasonCode, 076 ID, 077 Name, 078 SequenceNumeric, 079 StartDateFlexibilityCode,
  080 ContinuousIndicator, 081 PurposeCode
//BillingSpecifiedPeriod/EndDateTime: 072 DateTime
//PostalTradeAddress: 082 ID, 083 PostOfficeBox, 084 BuildingName, 086 LineFour, 087 LineFive, 088 StreetName,
  089 CitySubDivisionName, 090 CountryName, 091 CountrySubDivisionID, 092 AttentionOf, 093 CareOf, 094 BuildingNumber,
  095 DepartmentName, 096 AdditionalStreetName
`;
