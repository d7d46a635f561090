// cspell:disable
/** Elements and attributes of CII that EN 16931 does not use, with the numbers of their rules; see `unused.ts`. */
export const CII_UNUSED_LINE = `
//SpecifiedTradeSettlementPaymentMeans: 464 PayerSpecifiedDebtorFinancialInstitution
ExchangedDocumentContext: 001 SpecifiedTransactionID, 002 TestIndicator, 006 BIMSpecifiedDocumentContextParameter,
  007 ScenarioSpecifiedDocumentContextParameter, 008 ApplicationSpecifiedDocumentContextParameter,
  011 SubsetSpecifiedDocumentContextParameter, 012 MessageStandardSpecifiedDocumentContextParameter
ExchangedDocument: 013 Name, 016 CopyIndicator, 017 Purpose, 018 ControlRequirementIndicator, 019 LanguageID,
  020 PurposeCode, 021 RevisionDateTime, 022 VersionID, 023 GlobalID, 024 RevisionID, 025 PreviousRevisionID,
  026 CategoryCode, 033 EffectiveSpecifiedPeriod, 034 IssuerTradeParty
ExchangedDocument/IssueDateTime: 015 DateTime
ExchangedDocument/IncludedNote: 027 Subject, 028 ContentCode, 032 ID
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem: 035 DescriptionCode, 036 ParentLineID,
  037 LineStatusCode, 038 LineStatusReasonCode, 221 IncludedSubordinateTradeLineItem
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/AssociatedDocumentLineDocument/IncludedNote:
  041 SubjectCode, 042 ID, 043 Subject, 044 ContentCode
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedTradeProduct: 045 ID,
  048 ManufacturerAssignedID, 049 TradeName, 050 TypeCode, 051 NetWeightMeasure, 052 GrossWeightMeasure,
  053 ProductGroupID, 054 EndItemTypeCode, 055 EndItemName, 056 AreaDensityMeasure, 057 UseDescription, 058 BrandName,
  059 SubBrandName, 060 DrainedNetWeightMeasure, 061 VariableMeasureIndicator, 062 ColourCode, 063 ColourDescription,
  064 Designation, 065 FormattedCancellationAnnouncedLaunchDateTime, 066 FormattedLatestProductDataChangeDateTime,
  080 ApplicableMaterialGoodsCharacteristic, 087 IndividualTradeProductInstance,
  088 CertificationEvidenceReferenceReferencedDocument, 089 InspectionReferenceReferencedDocument,
  093 LinearSpatialDimension, 094 MinimumLinearSpatialDimension, 095 MaximumLinearSpatialDimension,
  096 ManufacturerTradeParty, 097 PresentationSpecifiedBinaryFile, 098 MSDSReferenceReferencedDocument,
  099 AdditionalReferenceReferencedDocument, 100 LegalRightsOwnerTradeParty, 101 BrandOwnerTradeParty,
  102 IncludedReferencedProduct, 103 InformationNote
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedTradeProduct/ApplicableProductCharacteristic:
  067 ID, 068 TypeCode, 070 ValueMeasure, 071 MeasurementMethodCode, 073 ValueCode, 074 ValueDateTime,
  075 ValueIndicator, 076 ContentTypeCode, 077 ValueSpecifiedBinaryFile, 078 ApplicableProductCharacteristicCondition,
  079 ApplicableReferencedStandard
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedTradeProduct/DesignatedProductClassification:
  081 SystemID, 082 SystemName, 083 ClassName, 084 SubClassCode, 085 ClassProductCharacteristic,
  086 ApplicableReferencedStandard
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedTradeProduct/OriginTradeCountry: 091 Name,
  092 SubordinateTradeCountrySubDivision
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement: 104 BuyerReference,
  105 BuyerRequisitionerTradeParty, 106 ApplicableTradeDeliveryTerms, 107 SellerOrderReferencedDocument,
  109 QuotationReferencedDocument, 110 ContractReferencedDocument, 111 DemandForecastReferencedDocument,
  112 PromotionalDealReferencedDocument, 113 AdditionalReferencedDocument, 147 RequisitionerReferencedDocument,
  148 ItemSellerTradeParty, 149 ItemBuyerTradeParty, 150 IncludedSpecifiedMarketplace,
  447 UltimateCustomerOrderReferencedDocument
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/BuyerOrderReferencedDocument:
  108 IssuerAssignedID
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/GrossPriceProductTradePrice:
  114 TypeCode, 115 MinimumQuantity, 116 MaximumQuantity, 117 ChangeReason, 118 OrderUnitConversionFactorNumeric,
  445 IncludedTradeTax, 132 ValiditySpecifiedPeriod, 133 DeliveryTradeLocation, 134 TradeComparisonReferencePrice,
  135 AssociatedReferencedDocument
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/AppliedTradeAllowanceCharge:
  120 ID, 121 SequenceNumeric, 122 CalculationPercent, 123 BasisAmount, 124 BasisQuantity, 125 PrepaidIndicator,
  126 UnitBasisAmount, 127 ReasonCode, 128 Reason, 129 TypeCode, 130 CategoryTradeTax, 131 ActualTradeCurrencyExchange
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/NetPriceProductTradePrice:
  136 TypeCode, 138 MinimumQuantity, 139 MaximumQuantity, 140 ChangeReason, 141 OrderUnitConversionFactorNumeric,
  142 AppliedTradeAllowanceCharge, 446 IncludedTradeTax, 143 ValiditySpecifiedPeriod, 144 DeliveryTradeLocation,
  145 TradeComparisonReferencePrice, 146 AssociatedReferencedDocument
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery: 151 RequestedQuantity,
  152 ReceivedQuantity, 153 ChargeFreeQuantity, 154 PackageQuantity, 155 ProductUnitQuantity,
  156 PerPackageUnitQuantity, 157 NetWeightMeasure, 158 GrossWeightMeasure, 159 TheoreticalWeightMeasure,
  160 DespatchedQuantity, 161 SpecifiedDeliveryAdjustment, 162 IncludedSupplyChainPackaging,
  163 RelatedSupplyChainConsignment, 164 ShipToTradeParty, 165 UltimateShipToTradeParty, 166 ShipFromTradeParty,
  167 ActualDespatchSupplyChainEvent, 168 ActualPickUpSupplyChainEvent, 169 RequestedDeliverySupplyChainEvent,
  170 ActualDeliverySupplyChainEvent, 171 ActualReceiptSupplyChainEvent, 172 AdditionalReferencedDocument,
  173 DespatchAdviceReferencedDocument, 174 ReceivingAdviceReferencedDocument, 175 DeliveryNoteReferencedDocument,
  176 ConsumptionReportReferencedDocument, 177 PackingListReferencedDocument
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement: 178 PaymentReference,
  179 InvoiceIssuerReference, 180 TotalAdjustmentAmount, 181 DiscountIndicator, 194 SubtotalCalculatedTradeTax,
  195 SpecifiedLogisticsServiceCharge, 196 SpecifiedTradePaymentTerms, 209 SpecifiedFinancialAdjustment,
  210 InvoiceReferencedDocument, 212 PayableSpecifiedTradeAccountingAccount,
  218 PurchaseSpecifiedTradeAccountingAccount, 219 SalesSpecifiedTradeAccountingAccount,
  220 SpecifiedTradeSettlementFinancialCard
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/ApplicableTradeTax:
  182 CalculatedAmount
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge/ChargeIndicator:
  183 IndicatorString
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge:
  184 ID, 185 SequenceNumeric, 187 BasisQuantity, 188 PrepaidIndicator, 189 UnitBasisAmount, 190 TypeCode,
  191 CategoryTradeTax, 192 ActualTradeCurrencyExchange, 193 ID
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge/CalculationPercent:
  186 @format
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation:
  197 ChargeTotalAmount, 198 AllowanceTotalAmount, 199 TaxBasisTotalAmount, 200 TaxTotalAmount, 201 GrandTotalAmount,
  202 InformationAmount, 203 TotalAllowanceChargeAmount, 204 TotalRetailValueInformationAmount,
  205 GrossLineTotalAmount, 206 NetLineTotalAmount, 207 NetIncludingTaxesLineTotalAmount,
  208 ProductWeightLossInformationAmount
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/ReceivableSpecifiedTradeAccountingAccount:
  213 SetTriggerCode, 214 TypeCode, 215 AmountTypeCode, 216 Name, 217 CostReferenceDimensionPattern
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement: 442 Reference, 278 SalesAgentTradeParty,
  279 BuyerRequisitionerTradeParty, 280 BuyerAssignedAccountantTradeParty, 281 SellerAssignedAccountantTradeParty,
  292 ProductEndUserTradeParty, 293 ApplicableTradeDeliveryTerms, 296 QuotationReferencedDocument,
  297 OrderResponseReferencedDocument, 299 DemandForecastReferencedDocument, 300 SupplyInstructionReferencedDocument,
  301 PromotionalDealReferencedDocument, 302 PriceListReferencedDocument, 304 RequisitionerReferencedDocument,
  305 BuyerAgentTradeParty, 306 PurchaseConditionsReferencedDocument, 448 UltimateCustomerOrderReferencedDocument
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/SellerTradeParty: 222 RoleCode,
  247 EndPointURIUniversalCommunication, 248 LogoAssociatedSpecifiedBinaryFile
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/SellerTradeParty/SpecifiedLegalOrganization:
  223 LegalClassificationCode, 224 Name, 225 PostalTradeAddress, 226 AuthorizedLegalRegistration
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/SellerTradeParty/DefinedTradeContact: 227 ID, 228 TypeCode,
  229 JobTitle, 230 Responsibility, 231 PersonID, 234 DirectTelephoneUniversalCommunication,
  235 MobileTelephoneUniversalCommunication, 236 FaxUniversalCommunication, 239 TelexUniversalCommunication,
  240 VOIPUniversalCommunication, 241 InstantMessagingUniversalCommunication, 242 SpecifiedNote,
  243 SpecifiedContactPerson
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/SellerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication:
  232 URIID, 233 ChannelCode
`;
